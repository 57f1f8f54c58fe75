import type { AppLoadContext } from "@remix-run/node";
import type { HostedTokens } from "~/identity/hosted";
import { readCookie, settingCookie } from "~/lib/cookies";
import { isLocale } from "~/lib/i18n";
import { LOCALE_COOKIE } from "~/lib/i18n.server";
import type { User } from "~/models/user.server";

/** Signs somebody in here, in one language for pages and mails: the one chosen in this browser, else the one they had. */
export async function signIn(
  { request, context }: { request: Request; context: AppLoadContext },
  user: User,
  tokens?: HostedTokens,
): Promise<void> {
  const { visitor, services } = context;
  await visitor.signIn(user.id, tokens);
  await services.users.noteSignIn(user.id);
  await services.billing?.reconcileAtSignIn(user);
  const chosen = readCookie(request, LOCALE_COOKIE);
  if (isLocale(chosen)) {
    if (chosen !== user.locale) await services.users.setLocale(user.id, chosen);
    return;
  }
  const secure = services.env.BASE_URL.startsWith("https:");
  visitor.keepSetting(settingCookie(LOCALE_COOKIE, user.locale, { secure }));
}
