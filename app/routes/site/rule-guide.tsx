import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ruleGuide } from "~/findings/rules/guide.server";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { pageMeta } from "~/platform/http/page-meta";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { RuleGuide } from "~/site/rules/rule-guide";

export const handle = { i18n: ["rulebook", "check", "fixes"] };
export const clientLoader = preloadNamespaces(["rulebook", "check", "fixes"]);

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = await localeOf(request);
  const guide = ruleGuide(params.id ?? "", locale);
  if (!guide) throw data(null, { status: 404 });
  const t = textsOf(locale).getFixedT(null, "common");
  const { help, description } = guide;
  return data({ guide, meta: { title: t("title", { page: help.text }), description: description.text } });
}

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function RuleGuideRoute() {
  return <RuleGuide {...useLoaderData<typeof loader>().guide} />;
}
