import type { AppLoadContext } from "@remix-run/node";
import type { SentForm } from "~/platform/forms/form-answer.server";
import { hasJustSignedIn } from "./guard.server";
import { attemptOfUser } from "./password-attempt.server";
import type { User } from "./user.server";

type Refusal = ReturnType<SentForm<unknown>["refuse"]>;

/**
 * For local accounts: runs `work` after a recent sign-in, or if the form has the right password.
 * @param currentPassword field of the form; empty if it was not asked for
 * @param work may refuse the form, too
 */
export async function withRecentSignIn<Result>(
  context: AppLoadContext,
  user: User,
  sent: SentForm<unknown>,
  currentPassword: string,
  work: () => Promise<Result>,
): Promise<Result | Refusal> {
  if (await hasJustSignedIn(context)) return work();
  if (currentPassword === "") return sent.refuse({ currentPassword: "password_missing" });
  const { accountsFor, throttle } = context.services;
  const guess = await attemptOfUser(context, user);
  const attempt = await throttle.signIn(guess);
  if (!attempt.granted) return sent.postpone("throttled", attempt.retryAt);
  return sent.unlessBusy(async () => {
    if (!(await accountsFor(guess).checkPassword(user, currentPassword))) return sent.refuse({ currentPassword: "password_wrong" });
    await throttle.succeeded(guess);
    return work();
  }, () => throttle.refund(guess));
}
