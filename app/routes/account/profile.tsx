import { redirect } from "@remix-run/node";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";

export function loader() {
  return redirect("/profile/general");
}

export const action = methodNotAllowed;

/** With a component, Remix answers a refused form with the error page and not with JSON. */
export default function Nothing() {
  return null;
}
