import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { AcceptedNotice } from "~/reports/acceptance/accepted-notice";
import { SinglePageNotice } from "~/reports/view/single-page-notice";
import { RuleFilterForm } from "~/reports/view/rule-filter";
import { RuleItem } from "~/reports/view/rule-item";
import { ReportFrame } from "~/reports/view/report-frame";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { displayAddress } from "~/findings/finding-views.server";
import { failureReason } from "~/findings/failure-reason";
import { loadedHeaders } from "~/platform/http/answer-headers";
import { textsOf } from "~/platform/i18n/i18n.server";
import { reachedBy } from "~/findings/page-address";
import { pageMeta } from "~/platform/http/page-meta";
import { filterRules, readFilter } from "~/reports/filter";
import { isCategory, rulePath, type Coverage, type RuleFilter } from "~/reports/report-view";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { helpOf } from "~/findings/rules/texts.server";
import { criteriaOf, criterionName } from "~/findings/rules/criteria.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { coverageOf } from "~/reports/coverage.server";
import { ruleRow } from "~/reports/rule-rows.server";
import { openReport } from "~/reports/open-report.server";
import { isOpen } from "~/reports/report.server";
import { reportMeta } from "~/reports/page.server";

export const handle = { i18n: ["report", "check"] };
export const clientLoader = preloadNamespaces(["report", "check"]);

export async function loader(args: LoaderFunctionArgs) {
  const { category } = args.params;
  if (!isCategory(category)) throw data(null, { status: 404 });
  const report = await openReport(args);
  const { run, head, locale, withheld, headers } = report;
  const { reports } = report.readers;
  const filter = readFilter(new URL(args.request.url).searchParams);
  const page = filter.pageId === null ? undefined : await reports.page(run.id, filter.pageId);
  if (filter.pageId !== null && !page) throw data(null, { status: 404 });

  const inCategory = (page ? await reports.allRules(run.id, { pageId: page.id }) : report.allRules).filter((rule) => rule.category === category);
  const found = inCategory.filter(isOpen);
  const names = new Map(found.map((rule) => [rule.ruleId, helpOf(rule, locale).text]));
  const tags = new Map(found.map((rule) => [rule.ruleId, criteriaOf(rule.tags)]));
  // A search must not reveal the content of withheld elements.
  const readableWithText = async () =>
    new Set([...(await reports.rulesWithText(run.id, category, { text: filter.text, pageId: page?.id }))].filter((ruleId) => !withheld.has(ruleId)));
  const all = found.map((rule) => ruleRow(rule, locale, withheld));
  const rules = filterRules(all, filter, {
    criteria: ({ ruleId }) => tags.get(ruleId) ?? [],
    help: ({ ruleId }) => names.get(ruleId) ?? "",
    withText: filter.text ? await readableWithText() : new Set(),
    language: locale,
  });
  const numbers = [...new Set([...tags.values()].flat())].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const t = textsOf(locale).getFixedT(null, "report");
  return data(
    {
      meta: await reportMeta(args, report, t(`part.${category}`), page?.url),
      head,
      host: displayAddress(page?.url ?? run.url),
      category,
      filter,
      page: page
        ? { id: page.id, url: page.url, reached: reachedBy(page), isChecked: page.status === "succeeded", reason: failureReason(page) }
        : null,
      rules,
      total: all.length,
      accepted: inCategory.reduce((sum, rule) => sum + (rule.accepted ?? 0), 0),
      coverage: all.length === 0 ? await coverageOf(report.readers.pages, run, page?.id) : null,
      criteria: numbers.map((number) => ({ value: number, label: criterionName(number, locale) })),
    },
    { headers },
  );
}

export const headers = loadedHeaders;

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

/** The same list and filter for all pages. */
function allPages(path: string, { impact, criterion, text, sort }: RuleFilter): string {
  const query = new URLSearchParams({ ...(impact && { impact }), ...(criterion && { criterion }), ...(text && { q: text }), ...(sort !== "importance" && { sort }) });
  return query.size > 0 ? `${path}?${query}` : path;
}

export default function Category() {
  const { head, host, category, filter, page, rules, total, accepted, coverage, criteria } = useLoaderData<typeof loader>();
  const { t } = useTranslation("report");
  const path = `${head.base}/${category}`;
  const isChecked = page ? page.isChecked : head.pages > head.failedPages;
  return (
    <ReportFrame head={head} current={category}>
      <ReportHeading host={host}>{t(`part.${category}`)}</ReportHeading>
      <p className="lead">{t(`category.${category}`)}</p>
      {category === "incomplete" && total > 0 && head.reader === "owner" && (
        <p>
          <Link className="button" to={`${head.base}/review`}>
            {t("category.review")}
          </Link>
        </p>
      )}
      {page && <SinglePageNotice page={page} all={allPages(path, filter)} />}
      {(total > 0 || accepted > 0) && <AcceptedNotice base={head.base} count={accepted} isAll={total === 0} />}
      {total > 0 ? (
        <>
          <RuleFilterForm path={path} filter={filter} criteria={criteria} withImpact={category === "violations" || category === "incomplete"} />
          <p role="status">{t("category.shown", { shown: rules.length, count: total })}</p>
          {rules.length > 0 && (
            <ul className="rule-list">
              {rules.map((rule) => (
                <li key={rule.ruleId}>
                  <RuleItem rule={rule} to={`${rulePath(head.base, rule)}${page ? `?page=${page.id}` : ""}`} />
                </li>
              ))}
            </ul>
          )}
        </>
      ) : accepted > 0 ? null : isChecked ? (
        <NothingHere {...coverage} />
      ) : (
        !page && <p>{t("overview.nothingChecked")}</p>
      )}
    </ReportFrame>
  );
}

/** Message of an empty list; does not claim success if parts of the site were not checked. */
function NothingHere({ isWhole = false, partly = 0, limited = false }: Partial<Coverage>) {
  const { t } = useTranslation("report");
  return (
    <div className="empty-state">
      <p>
        <strong>{t(isWhole ? "category.empty" : "category.emptySoFar")}</strong>
      </p>
      {!isWhole && (
        <p>
          {t("category.emptySoFarHint")} {partly > 0 && t("category.partly", { count: partly })} {limited && t("category.limited")}
        </p>
      )}
      <p>{t("category.emptyHint")}</p>
    </div>
  );
}
