import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { LearnMore } from "~/reports/check/learn-more";
import { RemedyInWords } from "~/reports/check/problem/remedy";
import { RuleFacts } from "~/reports/check/rule-facts";
import { LocalizedText } from "~/ui/localized-text";
import { AcceptedNotice } from "~/reports/acceptance/accepted-notice";
import { acceptPath } from "~/reports/acceptance/acceptance-view";
import { IncludedInPro } from "~/reports/view/included-in-pro";
import { SinglePageNotice } from "~/reports/view/single-page-notice";
import { PaginationLinks } from "~/reports/view/pagination-links";
import { ReportFrame } from "~/reports/view/report-frame";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { AffectedPeople } from "~/reports/view/rule/affected-people";
import { GroupItem } from "~/reports/view/rule/group-item";
import { Neighbours } from "~/reports/view/rule/neighbours";
import { PlaceList } from "~/reports/view/rule/place-list";
import { helpAddress, howToFix } from "~/findings/rules/guide.server";
import { failureReason } from "~/findings/failure-reason";
import { fixOf, impactOnPeople } from "~/findings/rules/catalogue.server";
import { remedyOf } from "~/findings/rules/remedies.server";
import { loadedHeaders } from "~/platform/http/answer-headers";
import { pageCountOf, pageNumberOf } from "~/platform/http/pagination.server";
import { reachedBy } from "~/findings/page-address";
import { pageMeta } from "~/platform/http/page-meta";
import { isCategory, listsElements, rulePath } from "~/reports/report-view";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { descriptionOf, displayAddress } from "~/findings/finding-views.server";
import { groupView, locationView } from "~/reports/element-locations.server";
import { ruleRow } from "~/reports/rule-rows.server";
import { openReport } from "~/reports/open-report.server";
import { reportMeta } from "~/reports/page.server";
import { readRowNumber } from "~/platform/http/row-number";

export const handle = { i18n: ["report", "check", "fixes"] };
export const clientLoader = preloadNamespaces(["report", "check", "fixes"]);

const GROUPS_PER_PAGE = 20;
const PLACES_PER_PAGE = 50;

export async function loader(args: LoaderFunctionArgs) {
  const { category, rule: ruleId = "" } = args.params;
  if (!isCategory(category)) throw data(null, { status: 404 });
  const report = await openReport(args);
  const { run, head, locale, withheld, headers } = report;
  const { reports } = report.readers;
  const query = new URL(args.request.url).searchParams;
  const page = query.has("page") ? await reports.page(run.id, readRowNumber(query.get("page"))) : undefined;
  if (query.has("page") && !page) throw data(null, { status: 404 });

  const rules = (page ? await reports.allRules(run.id, { pageId: page.id }) : report.allRules).filter((each) => each.category === category);
  const index = rules.findIndex((each) => each.ruleId === ruleId);
  const rule = rules[index];
  if (!rule) throw data(null, { status: 404 });
  const isByPlace = query.get("list") === "places";
  const pageNumber = pageNumberOf(args.request);
  const row = ruleRow(rule, locale, withheld);
  const wanted = { category, ruleId, pageId: page?.id };
  const none = { groups: [], total: 0, stored: rule.elements };
  const { groups, total, stored } = row.isLocked
    ? none
    : await reports.locationsOf(run.id, { ...wanted, offset: isByPlace ? 0 : (pageNumber - 1) * GROUPS_PER_PAGE, limit: GROUPS_PER_PAGE });
  const places = isByPlace && !row.isLocked ? await reports.placesOf(run.id, { ...wanted, offset: (pageNumber - 1) * PLACES_PER_PAGE, limit: PLACES_PER_PAGE }) : null;
  const of = { category, ruleId, of: report.rules };
  const neighbour = (at: number) => {
    const other = rules[at];
    return other ? { ruleId: other.ruleId, title: ruleRow(other, locale, withheld).title.text } : null;
  };
  const people = impactOnPeople(ruleId, rule.tags);
  const fixes = groups.map((group) => (group.locations[0] ? fixOf(ruleId, group.locations[0], locale) : null));
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
      people,
      remedy: listsElements(category) ? remedyOf(ruleId, people.barrier, locale) : null,
      colors: fixes.find((fix) => fix?.kind === "colors") ?? null,
      groups: isByPlace ? [] : groups.map((group, at) => ({ ...groupView(group, locale, of), fix: fixes[at] ?? null })),
      places: places && places.places.map((place) => locationView(place, locale, of)),
      pageNumber,
      pageCount: places ? pageCountOf(args.request, places.total, PLACES_PER_PAGE) : pageCountOf(args.request, total, GROUPS_PER_PAGE),
      notStored: rule.elements - stored,
      previous: neighbour(index - 1),
      next: neighbour(index + 1),
    },
    { headers },
  );
}

export const headers = loadedHeaders;

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Rule() {
  const { head, host, rule, page, description, helpUrl, howToFix, people, remedy, colors, groups, places, pageNumber, pageCount, notStored, previous, next } = useLoaderData<typeof loader>();
  const { t } = useTranslation(["report", "check"]);
  const { ruleId, category, title, impact, elementCount, criteria, pages } = rule;
  const path = rulePath(head.base, rule);
  const link = (to: string, more: Record<string, string> = {}) => {
    const query = new URLSearchParams({ ...(page && { page: String(page.id) }), ...more });
    return query.size > 0 ? `${to}?${query}` : to;
  };
  const search = page ? `?page=${page.id}` : "";
  const allPlaces = link(path, { list: "places" });
  const pageLink = (number: number) => link(path, { ...(places && { list: "places" }), part: String(number) });
  const toRule = (other: typeof previous) => other && link(rulePath(head.base, { category, ruleId: other.ruleId }));
  return (
    <ReportFrame head={head} current={category}>
      <ReportHeading host={host}>
        <LocalizedText {...title} />
      </ReportHeading>
      <RuleFacts category={category} impact={impact} elementCount={elementCount} criteria={criteria}>
        <li>{t("rule.onPages", { count: pages })}</li>
      </RuleFacts>
      {page && <SinglePageNotice page={page} all={path} />}
      <AcceptedNotice base={head.base} count={rule.accepted} isAll={elementCount === 0} />
      <section aria-labelledby="why">
        <h2 id="why">{t("rule.why")}</h2>
        <AffectedPeople {...people} />
      </section>
      {remedy && listsElements(category) && (
        <section aria-labelledby="todo">
          <h2 id="todo">{t(`rule.todo.${category}`)}</h2>
          <RemedyInWords remedy={remedy} colors={colors} />
        </section>
      )}
      {rule.isLocked ? (
        <IncludedInPro reader={head.reader} url={head.url} />
      ) : listsElements(category) ? (
        <section aria-labelledby="places">
          <h2 id="places">{t(`rule.places.${category}`)}</h2>
          <nav className="parts" aria-label={t("rule.listed")}>
            <ul>
              <li>
                <Link to={link(path)} aria-current={places ? undefined : "page"}>
                  {t("rule.asComponents")}
                </Link>
              </li>
              <li>
                <Link to={allPlaces} aria-current={places ? "page" : undefined}>
                  {t("rule.asPlaces")}
                </Link>
              </li>
            </ul>
          </nav>
          <p className="prose-line">{t(places ? "rule.eachPlace" : "rule.grouped")}</p>
          {places && <PlaceList path={path} search={search} places={places} />}
          {groups.map((group, index) => (
            <GroupItem
              key={`${group.sample.pageId}-${group.sample.position}`}
              base={head.base}
              path={path}
              search={search}
              allPlaces={allPlaces}
              number={(pageNumber - 1) * GROUPS_PER_PAGE + index + 1}
              rule={rule}
              group={group}
            />
          ))}
          {notStored > 0 && (
            <p className="hint">
              {t("rule.notStored", { count: notStored })} {rule.accepted > 0 && t("rule.notStoredAccepted")}
            </p>
          )}
          <PaginationLinks pageNumber={pageNumber} pageCount={pageCount} to={pageLink} />
          {category === "violations" && head.reader === "owner" && (
            <p className="accept-rule">
              <Link to={acceptPath(head.base, ruleId)}>{t("accepted.acceptRule")}</Link>
            </p>
          )}
        </section>
      ) : (
        <p>{t(`rule.only.${category}`)}</p>
      )}
      <section aria-labelledby="development">
        <h2 id="development">{t("element.technical")}</h2>
        <p className="prose-line">
          <code translate="no">{ruleId}</code>: <LocalizedText {...description} /> <LearnMore helpUrl={helpUrl} rule={title.text} />
        </p>
        {howToFix && (
          <p className="prose-line">
            <strong>{t("rule.howToFix")}</strong> {howToFix}
          </p>
        )}
      </section>
      <Neighbours
        label={t("rule.order")}
        previous={previous && { to: toRule(previous) ?? "", text: t("rule.previousRule", { title: previous.title }) }}
        next={next && { to: toRule(next) ?? "", text: t("rule.nextRule", { title: next.title }) }}
      />
    </ReportFrame>
  );
}
