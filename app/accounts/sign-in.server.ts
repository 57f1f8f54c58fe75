import { redirect, type AppLoadContext } from "@remix-run/node";
import type { HostedTokens } from "./hosted/hosted";
import { readCookie, settingCookie } from "~/platform/http/cookies";
import { isLocale } from "~/platform/i18n/i18n";
import { LOCALE_COOKIE } from "~/platform/i18n/i18n.server";
import type { LocalProblem } from "./hosted-problems";
import type { PendingSignIn } from "./second-factor/pending-sign-in.server";
import type { User } from "./user.server";
import { withReturnTo } from "~/platform/http/return-to";

interface Args {
  request: Request;
  context: AppLoadContext;
}

interface SignInOptions {
  /** Tokens of the hosted provider. */
  tokens?: HostedTokens;
  /** True if the user has just got a mail about the same event. */
  isTold?: boolean;
  /** Path on our own origin, for the time after the second factor. */
  returnTo?: string;
}

/**
 * Signs in a user after password or provider have been checked; requires the second factor first, if there is one.
 * @returns path of the page that asks for it; null if the user is signed in
 */
export async function signIn(args: Args, user: User, { tokens, isTold = false, returnTo }: SignInOptions = {}): Promise<string | null> {
  const { visitor, services } = args.context;
  // Local accounts only: the provider of a hosted account has its own second factor.
  if (user.subject === null && (await services.secondFactors.hasSecondFactor(user.id))) {
    visitor.keepSetting(await services.pendingSignIns.begin({ userId: user.id, isTold }));
    return withReturnTo("/login/second-factor", returnTo);
  }
  await beginSession(args, user, { tokens, isTold });
  return null;
}

/** Signs in a user after the second factor. */
export async function finishSignIn(args: Args, pending: PendingSignIn): Promise<void> {
  const { visitor, services } = args.context;
  visitor.keepSetting(await services.pendingSignIns.end(pending));
  await beginSession(args, pending.user, { isTold: pending.isTold });
}

/**
 * Begins a session, with one language for pages and mails: chosen in this browser, else stored in the account. A mail
 * announces a sign-in from an unknown browser.
 * @throws a redirect to `/login` with an explanation if the account is disabled
 */
async function beginSession({ request, context }: Args, user: User, { tokens, isTold }: Pick<SignInOptions, "tokens" | "isTold">): Promise<void> {
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

/** Redirect to `/login`, which shows the reason. @param returnTo path on our own origin, for the time after a later sign-in */
export function refuseSignIn(why: LocalProblem, returnTo?: string): Response {
  return redirect(withReturnTo(`/login?problem=${why}`, returnTo), 303);
}
