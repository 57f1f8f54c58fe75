import type { AppLoadContext } from "@remix-run/node";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import type { PageMeta } from "~/platform/http/page-meta";

/** Pages with forms, named by their texts in `account`. */
export type AccountPage =
  | "login"
  | "register"
  | "invitation"
  | "forgot"
  | "reset"
  | "setup"
  | "profile"
  | "name"
  | "email"
  | "verify"
  | "password"
  | "delete"
  | "sessions";

/**
 * Title and description of an account page; the title says when its form is shown again with problems.
 * @param titleText key of the title, if the page shows no form: a mail was sent, a link has expired
 */
export async function accountPageMeta(
  { request, context }: { request: Request; context: AppLoadContext },
  page: AccountPage,
  titleText: "title" | "heading" | "sentHeading" | "goneHeading" = "title",
): Promise<PageMeta> {
  const t = textsOf(await localeOf(request)).getFixedT(null, ["account", "common"]);
  // The type names one page: not every page has all of these texts.
  const title = t(`account:${page}.${titleText}` as "account:login.title");
  return {
    title: t("common:title", { page: context.formProblem ? t("common:form.titlePrefix", { title }) : title }),
    description: t(`account:${page}.description`),
  };
}

/** Title and description from given texts; the title says when the form is shown again with problems. */
export async function titledMeta(
  { request, context }: { request: Request; context: AppLoadContext },
  { title, description }: PageMeta,
): Promise<PageMeta> {
  const t = textsOf(await localeOf(request)).getFixedT(null, "common");
  return { title: t("title", { page: context.formProblem ? t("form.titlePrefix", { title }) : title }), description };
}
