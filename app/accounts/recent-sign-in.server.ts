import type { AppLoadContext } from "@remix-run/node";
import type { SentForm } from "~/platform/forms/form-answer.server";
import { hasJustSignedIn } from "./guard.server";
import { attemptOfUser } from "./password-attempt.server";
import type { User } from "./user.server";

type Refusal = ReturnType<SentForm<unknown>["refuse"]>;

/**
 * Runs `work` for a local account, after a recent sign-in or with the right password in the form.
 * @param currentPassword field of the form; empty if the form has no such field
 * @param work may also refuse the form
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
