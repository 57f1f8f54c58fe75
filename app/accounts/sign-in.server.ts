import { redirect, type AppLoadContext } from "@remix-run/node";
import type { HostedTokens } from "./hosted/hosted";
import { readCookie, settingCookie } from "~/platform/http/cookies";
import { isLocale } from "~/platform/i18n/i18n";
import { LOCALE_COOKIE } from "~/platform/i18n/i18n.server";
import type { SignInRefusal } from "./hosted-problems";
import type { User } from "./user.server";

interface SignInOptions {
  /** Tokens of the hosted provider. */
  tokens?: HostedTokens;
  /** Has the user just got a mail about the same event? */
  isTold?: boolean;
}

/**
 * Signs a user in, with one language for pages and mails: the one chosen in this browser, else the one of the account. A mail
 * announces a sign-in from an unknown browser.
 * @throws a redirect to `/login`, which says that the account is disabled
 */
export async function signIn(
  { request, context }: { request: Request; context: AppLoadContext },
  user: User,
  { tokens, isTold = false }: SignInOptions = {},
): Promise<void> {
  const { visitor, services } = context;
  if (user.isDisabled) throw refuseSignIn("disabled");
  const isKnownBrowser = await visitor.signIn(user.id, tokens);
  const isFirst = await services.users.noteSignIn(user.id);
  // An unconfirmed address may belong to a stranger.
  if (!isKnownBrowser && !isFirst && !isTold && user.emailVerified && (await services.throttle.recipient("sign-in", user.email))) {
    await services.accounts.announceSignIn(user, visitor.browserName);
  }
  await services.billing?.reconcileAtSignIn(user);
  const chosen = readCookie(request, LOCALE_COOKIE);
  if (isLocale(chosen)) {
    if (chosen !== user.locale) await services.users.setLocale(user.id, chosen);
    return;
  }
  const secure = services.env.BASE_URL.startsWith("https:");
  visitor.keepSetting(settingCookie(LOCALE_COOKIE, user.locale, { secure }));
}

/** Leads to `/login`, which says why. */
export function refuseSignIn(why: SignInRefusal): Response {
  return redirect(`/login?problem=${why}`, 303);
}
