import { redirect, type ActionFunctionArgs } from "@remix-run/node";

/** Ends the session here, and at the hosted provider, too. */
export async function action({ context }: ActionFunctionArgs) {
  const { visitor, services } = context;
  // No flash message for a visitor who is not signed in.
  if ((await visitor.user()) === null) return redirect("/", 303);
  await visitor.signOut();
  if (services.hosted) return redirect(services.hosted.logoutUrl(), 303);
  await visitor.flash({ text: "signedOut", kind: "done" });
  return redirect("/", 303);
}

/** A direct visit of the address goes to the home page. */
export function loader() {
  return redirect("/");
}

/** With a component, Remix answers a refused form with the error page and not with JSON. */
export default function Nothing() {
  return null;
}
