import { data, redirect, type ActionFunctionArgs } from "@remix-run/node";
import { settingCookie } from "~/lib/cookies";
import { isLocale } from "~/lib/i18n";
import { LOCALE_COOKIE } from "~/lib/i18n.server";
import { readForm, textField } from "~/lib/read-form";
import { safeReturnTo } from "~/lib/return-to";

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request);
  const locale = textField(form, "locale");
  if (!isLocale(locale)) throw data(null, { status: 422 });
  const secure = context.services.env.BASE_URL.startsWith("https:");
  return redirect(safeReturnTo(textField(form, "returnTo")), {
    status: 303,
    headers: { "Set-Cookie": settingCookie(LOCALE_COOKIE, locale, { secure }) },
  });
}

/** Whoever opens the address itself wants to go somewhere else. */
export function loader() {
  return redirect("/");
}

/** With a component, Remix answers a refused form with the error page and not with JSON. */
export default function Nothing() {
  return null;
}
