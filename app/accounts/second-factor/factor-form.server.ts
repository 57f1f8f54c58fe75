import { redirect } from "@remix-run/node";
import type { Args } from "~/accounts/guard.server";
import { withRecentSignIn } from "~/accounts/recent-sign-in.server";
import type { User } from "~/accounts/user.server";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { readForm } from "~/platform/forms/read-form";
import { factorRefusal, factorSchema } from "./code-attempt.server";
import { describeProblem, requireLocalUser } from "./page.server";

const OVERVIEW = "/account/second-factor";

/** The signed-in user with a second factor. @throws a redirect to the overview if there is none */
export async function requireSecondFactor(args: Args): Promise<User> {
  const user = await requireLocalUser(args);
  if (!(await args.context.services.secondFactors.hasSecondFactor(user.id))) throw redirect(OVERVIEW, 303);
  return user;
}

/** Action of `FactorForm`. @param change called after second factor and recent sign-in were checked; @returns path of the redirect */
export async function changeWithFactor(args: Args, change: (user: User) => Promise<string>) {
  const user = await requireSecondFactor(args);
  const { request, context } = args;
  const sent = await parseSentForm(request, context, await readForm(request), factorSchema, await describeProblem(request));
  if (!sent.value) return sent.refuse();
  const { currentPassword = "", ...typed } = sent.value;
  return withRecentSignIn(context, user, sent, currentPassword, async () => {
    const refusal = await factorRefusal(context, user, sent, typed);
    return refusal ?? redirect(await change(user), 303);
  });
}
