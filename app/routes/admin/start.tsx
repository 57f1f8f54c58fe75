import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { refuseForms, requireAdministrator } from "~/administration/guard.server";

export async function loader(args: LoaderFunctionArgs) {
  await requireAdministrator(args);
  return redirect("/admin/people");
}

export const action = refuseForms;

/** With a component, Remix answers a refused form with the error page and not with JSON. */
export default function Nothing() {
  return null;
}
