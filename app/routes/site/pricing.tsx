import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { choiceOfQuery, choicePath } from "~/billing/plans/choice";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";

/** `/pricing` leads to the pricing section of the home page, with the choices so far. */
export function loader({ request }: LoaderFunctionArgs) {
  return redirect(choicePath("/#pricing", choiceOfQuery(new URL(request.url).searchParams)), 302);
}

export const action = methodNotAllowed;

/** With a component, Remix answers a refused form with the error page and not with JSON. */
export default function Nothing() {
  return null;
}
