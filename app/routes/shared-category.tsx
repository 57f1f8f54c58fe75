import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { SharedFrame } from "~/components/history/shared-frame";
import { RuleItem } from "~/components/report/rule-item";
import { textsOf } from "~/lib/i18n.server";
import { pageMeta } from "~/lib/page-meta";
import { ruleRow } from "~/models/rule-rows.server";
import { isCategory } from "~/lib/report-view";
import { notAllowed } from "~/lib/refusals";
import { openShared, sharedMeta } from "~/share-page.server";
import { textsFirst } from "~/lib/texts-first";

export const handle = { i18n: ["history", "report", "check"] };
export const clientLoader = textsFirst(["history", "report", "check"]);

export async function loader(args: LoaderFunctionArgs) {
  const { category } = args.params;
  if (!isCategory(category)) throw data(null, { status: 404 });
  const report = await openShared(args);
  const { head, base, locale, headers } = report;
  const t = textsOf(locale).getFixedT(null, "report");
  const rules = report.rules.filter((rule) => rule.category === category).map((rule) => ruleRow(rule, locale));
  return data(
    { meta: await sharedMeta(args, report, t(`part.${category}`)), base, head, category, rules },
    { headers },
  );
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const action = notAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function SharedCategory() {
  const { base, head, category, rules } = useLoaderData<typeof loader>();
  const { t } = useTranslation("report");
  return (
    <SharedFrame base={base} head={head} current={category}>
      <h1>{t(`part.${category}`)}</h1>
      <p className="lead">{t(`category.${category}`)}</p>
      {rules.length === 0 ? (
        <p>{head.pages === head.failedPages ? t("overview.nothingChecked") : t("category.empty")}</p>
      ) : (
        <ul className="rule-list">
          {rules.map((rule) => (
            <li key={rule.ruleId}>
              <RuleItem rule={rule} to={`${base}/${category}/${encodeURIComponent(rule.ruleId)}`} />
            </li>
          ))}
        </ul>
      )}
    </SharedFrame>
  );
}
