import { redirect, type ActionFunctionArgs } from "@remix-run/node";

/** Ends the session here, and at the hosted provider, too. */
export async function action({ context }: ActionFunctionArgs) {
  const { visitor, services } = context;
  // Nothing is kept for whoever is not signed in.
  if ((await visitor.user()) === null) return redirect("/", 303);
  await visitor.signOut();
  if (services.hosted) return redirect(services.hosted.logoutUrl(), 303);
  await visitor.flash({ text: "signedOut", kind: "done" });
  return redirect("/", 303);
}

/** Whoever opens the address itself wants to go somewhere else. */
export function loader() {
  return redirect("/");
}

/** With a component, Remix answers a refused form with the error page and not with JSON. */
export default function Nothing() {
  return null;
}
