import { data, redirect, type ActionFunctionArgs, type AppLoadContext } from "@remix-run/node";
import { settingCookie } from "./cookies";
import { readForm, textField } from "~/platform/forms/read-form";
import { safeReturnTo } from "./return-to";

interface Setting {
  /** Name of its form field. */
  field: string;
  cookie: string;
  accepts: (value: string) => boolean;
  /** Also stores the value for a signed-in user. */
  keep?: (value: string, context: AppLoadContext) => Promise<void>;
}

/** Action that stores a visitor's choice in a cookie and redirects back to the page; 422 for invalid values. */
export function settingAction({ field, cookie, accepts, keep }: Setting) {
  return async ({ request, context }: ActionFunctionArgs): Promise<Response> => {
    const form = await readForm(request);
    const value = textField(form, field);
    if (!accepts(value)) throw data(null, { status: 422 });
    await keep?.(value, context);
    const secure = context.services.env.BASE_URL.startsWith("https:");
    return redirect(safeReturnTo(textField(form, "returnTo")), {
      status: 303,
      headers: { "Set-Cookie": settingCookie(cookie, value, { secure }) },
    });
  };
}
