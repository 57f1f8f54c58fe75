import { data, redirect, type ActionFunctionArgs } from "@remix-run/node";
import { COLOR_SCHEME_COOKIE, isColorScheme } from "~/lib/color-scheme";
import { settingCookie } from "~/lib/cookies";
import { readForm, textField } from "~/lib/read-form";
import { safeReturnTo } from "~/lib/return-to";

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request);
  const scheme = textField(form, "scheme");
  if (!isColorScheme(scheme)) throw data(null, { status: 422 });
  const secure = context.services.env.BASE_URL.startsWith("https:");
  return redirect(safeReturnTo(textField(form, "returnTo")), {
    status: 303,
    headers: { "Set-Cookie": settingCookie(COLOR_SCHEME_COOKIE, scheme, { secure }) },
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
