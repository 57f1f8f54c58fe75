import { redirect, type ActionFunctionArgs } from "@remix-run/node";
import { signOut } from "~/accounts/sign-out.server";

/** Ends the session here, and at the hosted provider, too. */
export async function action({ context }: ActionFunctionArgs) {
  const { visitor } = context;
  // No flash message for a visitor who is not signed in.
  if ((await visitor.user()) === null) return redirect("/", 303);
  const elsewhere = await signOut(context);
  if (elsewhere !== null) return redirect(elsewhere, 303);
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
