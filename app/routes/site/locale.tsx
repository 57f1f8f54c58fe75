import { redirect } from "@remix-run/node";
import { isLocale } from "~/platform/i18n/i18n";
import { LOCALE_COOKIE } from "~/platform/i18n/i18n.server";
import { settingAction } from "~/platform/http/setting-action.server";

export const action = settingAction({
  field: "locale",
  cookie: LOCALE_COOKIE,
  accepts: isLocale,
  async keep(locale, { visitor, services }) {
    const user = await visitor.user();
    if (user && isLocale(locale)) await services.users.setLocale(user.id, locale);
  },
});

/** A direct visit of the address goes to the home page. */
export function loader() {
  return redirect("/");
}

/** With a component, Remix answers a refused form with the error page and not with JSON. */
export default function Nothing() {
  return null;
}
