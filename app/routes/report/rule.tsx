import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { LearnMore } from "~/reports/check/learn-more";
import { RuleFacts } from "~/reports/check/rule-facts";
import { LocalizedText } from "~/ui/localized-text";
import { AcceptedNotice } from "~/reports/acceptance/accepted-notice";
import { acceptPath } from "~/reports/acceptance/acceptance-view";
import { GroupItem } from "~/reports/view/rule/group-item";
import { IncludedInPro } from "~/reports/view/included-in-pro";
import { SinglePageNotice } from "~/reports/view/single-page-notice";
import { PaginationLinks } from "~/reports/view/pagination-links";
import { ReportFrame } from "~/reports/view/report-frame";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { AffectedPeople } from "~/reports/view/rule/affected-people";
import { helpAddress, howToFix } from "~/findings/rules/guide.server";
import { failureReason } from "~/findings/failure-reason";
import { fixOf, impactOnPeople } from "~/findings/rules/catalogue.server";
import { pageOf, paginationOf } from "~/platform/http/pagination.server";
import { reachedBy } from "~/findings/page-address";
import { pageMeta } from "~/platform/http/page-meta";
import { isCategory, listsElements, rulePath } from "~/reports/report-view";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { descriptionOf, displayAddress } from "~/findings/finding-views.server";
import { groupView } from "~/reports/element-locations.server";
import { ruleRow } from "~/reports/rule-rows.server";
import { openReport } from "~/reports/open-report.server";
import { reportMeta } from "~/reports/page.server";

export const handle = { i18n: ["report", "check", "fixes"] };
export const clientLoader = preloadNamespaces(["report", "check", "fixes"]);

const GROUPS_PER_PART = 20;

export async function loader(args: LoaderFunctionArgs) {
  const { category, rule: ruleId = "" } = args.params;
  if (!isCategory(category)) throw data(null, { status: 404 });
  const report = await openReport(args);
  const { run, head, locale, withheld, headers } = report;
  const { reports } = report.readers;
  const query = new URL(args.request.url).searchParams;
  const page = query.has("page") ? await reports.page(run.id, Number(query.get("page"))) : undefined;
  if (query.has("page") && !page) throw data(null, { status: 404 });

  const rules = page ? await reports.allRules(run.id, { pageId: page.id }) : report.allRules;
  const rule = rules.find((each) => each.category === category && each.ruleId === ruleId);
  if (!rule) throw data(null, { status: 404 });
  const part = pageOf(args.request);
  const row = ruleRow(rule, locale, withheld);
  const { groups, total, stored } = row.isLocked
    ? { groups: [], total: 0, stored: rule.elements }
    : await reports.locationsOf(run.id, {
        category,
        ruleId,
        pageId: page?.id,
        offset: (part - 1) * GROUPS_PER_PART,
        limit: GROUPS_PER_PART,
      });
  return data(
    {
      meta: await reportMeta(args, report, row.title.text, page?.url),
      head,
      host: displayAddress(page?.url ?? run.url),
      rule: row,
      page: page ? { id: page.id, url: page.url, reached: reachedBy(page), isChecked: true, reason: failureReason(page) } : null,
      description: descriptionOf(rule, locale),
      helpUrl: helpAddress(rule),
      howToFix: listsElements(category) ? howToFix(ruleId, locale) : null,
      people: impactOnPeople(ruleId, rule.tags),
      groups: groups.map((group) => ({
        ...groupView(group, locale, { category, ruleId, of: report.rules }),
        fix: group.locations[0] ? fixOf(ruleId, group.locations[0], locale) : null,
      })),
      part,
      parts: paginationOf(args.request, total, GROUPS_PER_PART),
      notStored: rule.elements - stored,
    },
    { headers },
  );
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Rule() {
  const { head, host, rule, page, description, helpUrl, howToFix, people, groups, part, parts, notStored } = useLoaderData<typeof loader>();
  const { t } = useTranslation(["report", "check"]);
  const { ruleId, category, title, impact, elementCount, criteria, pages } = rule;
  const path = rulePath(head.base, rule);
  const partLink = (number: number) =>
    `${path}?${new URLSearchParams({ ...(page && { page: String(page.id) }), part: String(number) })}`;
  return (
    <ReportFrame head={head} current={category}>
      <ReportHeading host={host}>
        <LocalizedText {...title} />
      </ReportHeading>
      <RuleFacts category={category} impact={impact} elementCount={elementCount} criteria={criteria} ruleId={ruleId}>
        <li>{t("rule.onPages", { count: pages })}</li>
      </RuleFacts>
      <p className="prose-line">
        <LocalizedText {...description} />{" "}
        <LearnMore helpUrl={helpUrl} rule={title.text} />
      </p>
      <AffectedPeople {...people} />
      {howToFix && (
        <p className="prose-line">
          <strong>{t("rule.howToFix")}</strong> {howToFix}
        </p>
      )}
      {page && <SinglePageNotice page={page} all={path} />}
      <AcceptedNotice base={head.base} count={rule.accepted} isAll={elementCount === 0} />
      {rule.isLocked ? (
        <IncludedInPro reader={head.reader} url={head.url} />
      ) : listsElements(category) ? (
        <section aria-labelledby="places">
          <h2 id="places">{t(`rule.places.${category}`)}</h2>
          <p className="prose-line">{t("rule.grouped")}</p>
          {groups.map((group, index) => (
            <GroupItem
              key={`${group.sample.pageId}-${group.sample.position}`}
              path={path}
              number={(part - 1) * GROUPS_PER_PART + index + 1}
              rule={rule}
              group={group}
            />
          ))}
          {notStored > 0 && <p className="hint">{t("rule.notStored", { count: notStored })}</p>}
          <PaginationLinks part={part} parts={parts} to={partLink} />
          {category === "violations" && head.reader === "owner" && (
            <p>
              <Link to={acceptPath(head.base, ruleId)}>{t("accepted.acceptRule")}</Link>
            </p>
          )}
        </section>
      ) : (
        <p>{t(`rule.only.${category}`)}</p>
      )}
    </ReportFrame>
  );
}
