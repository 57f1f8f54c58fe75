import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { coveredCriteria, guidedRules } from "~/findings/rules/guide.server";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { pageMeta } from "~/platform/http/page-meta";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { RuleList } from "~/site/rules/rule-list";

export const handle = { i18n: ["rulebook"] };
export const clientLoader = preloadNamespaces(["rulebook"]);

export async function loader({ request }: LoaderFunctionArgs) {
  const locale = await localeOf(request);
  const t = textsOf(locale).getFixedT(null, ["rulebook", "common"]);
  return data({
    criteria: coveredCriteria(locale),
    ruleCount: guidedRules().length,
    meta: { title: t("common:title", { page: t("list.title") }), description: t("list.description") },
  });
}

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Rules() {
  const { criteria, ruleCount } = useLoaderData<typeof loader>();
  return <RuleList criteria={criteria} ruleCount={ruleCount} />;
}
