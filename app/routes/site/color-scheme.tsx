import { redirect } from "@remix-run/node";
import { COLOR_SCHEME_COOKIE, isColorScheme } from "~/platform/http/color-scheme";
import { settingAction } from "~/platform/http/setting-action.server";

export const action = settingAction({ field: "scheme", cookie: COLOR_SCHEME_COOKIE, accepts: isColorScheme });

/** A direct visit of the address goes to the home page. */
export function loader() {
  return redirect("/");
}

/** With a component, Remix answers a refused form with the error page and not with JSON. */
export default function Nothing() {
  return null;
}
