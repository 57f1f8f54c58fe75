import { redirect } from "@remix-run/node";
import { hasJustSignedIn, requireUser, type Args } from "~/accounts/guard.server";
import type { User } from "~/accounts/user.server";
import type { AskedFactors } from "~/accounts/view/code-field";
import { titledMeta } from "~/platform/forms/page-texts.server";
import type { PageMeta } from "~/platform/http/page-meta";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";

interface FactorPageData {
  meta: PageMeta;
  /** True if a change requires the password. */
  asksPassword: boolean;
  /** True if the form of the page was sent after the end of the session. */
  kept: boolean;
}

type FactorPage = "overview" | "app" | "passkeys" | "codes" | "off" | "signIn";

/** @throws a redirect to the profile for a hosted account, as its provider has its own second factor */
export async function requireLocalUser(args: Args): Promise<User> {
  const user = await requireUser(args);
  if (user.subject !== null) throw redirect("/profile/general", 303);
  return user;
}

/** Common data of the pages about the second factor. */
export async function factorPage(args: Args, page: FactorPage): Promise<FactorPageData> {
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "factors");
  return {
    meta: await titledMeta(args, { title: t(`${page}.title`), description: t(`${page}.description`) }),
    asksPassword: !(await hasJustSignedIn(args.context)),
    kept: (await args.context.visitor.takeKept(new URL(args.request.url).pathname)) !== null,
  };
}

/** Second factors that a page can request from this user. */
export async function askedFactors({ request, context }: Args, userId: string): Promise<AskedFactors> {
  const { secondFactors, passkeys } = context.services;
  const state = await secondFactors.stateOf(userId);
  return {
    app: state.appSince !== null,
    passkey: state.passkeys > 0 && passkeys.isPossible,
    recovery: new URL(request.url).searchParams.get("with") === "recovery",
  };
}

/** Texts for problems of these forms. */
export async function describeProblem(request: Request): Promise<(problem: string) => string> {
  const t = textsOf(await localeOf(request)).getFixedT(null, "factors");
  return (problem) => t(`formProblem.${problem as "code_missing"}`);
}
