import { redirect } from "@remix-run/node";

/** `/pricing` is home at its pricing section. */
export function loader() {
  return redirect("/#pricing", 302);
}
