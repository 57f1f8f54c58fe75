import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { choiceOfQuery, choicePath } from "~/billing/plans/choice";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";

/** Redirects `/pricing` to the pricing section of the home page, with the previous choices. */
export function loader({ request }: LoaderFunctionArgs) {
  return redirect(choicePath("/#pricing", choiceOfQuery(new URL(request.url).searchParams)), 302);
}

export const action = methodNotAllowed;

/** With a component, Remix answers a refused form with the error page and not with JSON. */
export default function Nothing() {
  return null;
}
