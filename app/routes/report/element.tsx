import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ElementAcceptance } from "~/reports/acceptance/element-acceptance";
import { Notes } from "~/reports/acceptance/notes";
import { acceptanceNote } from "~/reports/acceptance/views.server";
import { ElementFacts } from "~/reports/view/rule/element-facts";
import { ElementPicture } from "~/reports/view/rule/element-picture";
import { IssueSection } from "~/reports/view/rule/issue-section";
import { Neighbours } from "~/reports/view/rule/neighbours";
import { ElementCode } from "~/reports/check/element-code";
import { PlaceInWords } from "~/reports/check/problem/place-in-words";
import { RemedyInWords } from "~/reports/check/problem/remedy";
import { RuleFacts } from "~/reports/check/rule-facts";
import { CopyButton } from "~/ui/copy-button";
import { Icon } from "~/ui/icon";
import { LocalizedText } from "~/ui/localized-text";
import { PageAddress } from "~/findings/view/page-address";
import { ReportFrame } from "~/reports/view/report-frame";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { WhatToDo } from "~/reports/view/rule/what-to-do";
import { displayAddress } from "~/findings/finding-views.server";
import { fixOf, impactOnPeople } from "~/findings/rules/catalogue.server";
import { remedyOf } from "~/findings/rules/remedies.server";
import { loadedHeaders } from "~/platform/http/answer-headers";
import { textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { isCategory, listsElements, rulePath } from "~/reports/report-view";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { textFragment } from "~/findings/text-fragment";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { locationView } from "~/reports/element-locations.server";
import { issueText } from "~/reports/issue-text.server";
import { isLocked, ruleRow } from "~/reports/rule-rows.server";
import { openReport } from "~/reports/open-report.server";
import { reportMeta } from "~/reports/page.server";
import { readRowNumber } from "~/platform/http/row-number";

export const handle = { i18n: ["report", "check", "fixes"] };
export const clientLoader = preloadNamespaces(["report", "check", "fixes"]);

export async function loader(args: LoaderFunctionArgs) {
  const { category, rule: ruleId = "", page: pageId, position } = args.params;
  if (!isCategory(category)) throw data(null, { status: 404 });
  const report = await openReport(args);
  const { run, head, locale, withheld, headers } = report;
  const rule = report.allRules.find((each) => each.category === category && each.ruleId === ruleId);
  if (rule && isLocked(rule, withheld)) throw redirect(rulePath(head.base, rule), 303);
  const at = { category, ruleId, pageId: readRowNumber(pageId), position: readRowNumber(position) };
  const { reports } = report.readers;
  // The reader comes from the violations of one page.
  const ofPage = new URL(args.request.url).searchParams.get("page") === pageId;
  const found = rule && (await reports.location(run.id, at));
  if (!found) throw data(null, { status: 404 });
  const accepted = category === "violations" && report.reader !== "sample" ? await args.context.services.acceptances.readerOf(run) : undefined;
  const acceptance = accepted?.ofElement({ pageUrl: found.pageUrl, rule, element: found });
  const t = textsOf(locale).getFixedT(null, "report");
  const row = ruleRow(rule, locale, withheld);
  const location = locationView(found, locale, { category, ruleId, of: report.rules });
  const remedy = listsElements(category) ? remedyOf(ruleId, impactOnPeople(ruleId, rule.tags).barrier, locale) : null;
  const path = `${rulePath(head.base, row)}/${found.pageId}/${found.position}`;
  const fix = fixOf(ruleId, found, locale);
  const title = t("element.titleOf", { problem: row.title.text, number: found.position + 1 });
  return data(
    {
      meta: await reportMeta(args, report, title, found.pageUrl),
      head,
      host: displayAddress(found.pageUrl),
      rule: row,
      notes: report.reader === "owner" && run.owner !== null && listsElements(category) ? await args.context.services.findingNotes.of(run.owner, { pageUrl: found.pageUrl, rule, element: found }) : null,
      acceptance: acceptance ? acceptanceNote(acceptance, report.reader) : null,
      location,
      // An accepted element is in no list.
      neighbours: acceptance ? null : await reports.neighboursOf(run.id, at, { ofPage }),
      search: ofPage ? `?page=${pageId}` : "",
      page: { title: found.pageTitle, open: textFragment(found.pageUrl, found.html) },
      remedy,
      fix,
      issue:
        remedy &&
        issueText(
          {
            ...{ problem: row.title, impact: rule.impact, criteria: row.criteria, ruleId, todo: remedy.todo },
            ...{ element: location, fix, place: location, pageUrl: found.pageUrl, foundAt: run.finishedAt ?? run.createdAt },
            // Null for readers: only the owner may pass on the address of a report, and a shared link is not part of the text.
            reportUrl: head.id === null ? null : new URL(path, args.context.services.env.BASE_URL).href,
          },
          locale,
        ),
    },
    { headers },
  );
}

export const headers = loadedHeaders;

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Element() {
  const { head, host, rule, acceptance, notes, location, neighbours, search, page, remedy, fix, issue } = useLoaderData<typeof loader>();
  const { t } = useTranslation("report");
  const { category, ruleId } = rule;
  const pathOf = ({ pageId, position }: { pageId: number; position: number }) => `${rulePath(head.base, rule)}/${pageId}/${position}${search}`;
  return (
    <ReportFrame head={head} current={category}>
      <ReportHeading host={host}>
        <LocalizedText {...rule.title} />
        {t("element.heading", { number: location.position + 1 })}
      </ReportHeading>
      <p className="lead">
        <Link to={`${rulePath(head.base, rule)}${search}`}>{t(search ? "element.allPlacesOfPage" : "element.allPlaces")}</Link>
      </p>
      <RuleFacts category={category} impact={rule.impact} elementCount={rule.elementCount} criteria={rule.criteria} />
      <section aria-labelledby="where">
        <h2 id="where">{t("element.where")}</h2>
        <p className="prose-line place-words">
          <PlaceInWords {...location} />
        </p>
        {location.hasPicture && <ElementPicture base={head.base} category={category} ruleId={ruleId} location={location} />}
        <p>
          <bdi lang={location.lang || undefined}>{page.title || location.pageUrl}</bdi>
          <br />
          <PageAddress url={location.pageUrl} reached={location.pageReached} />
        </p>
        <p>
          <a className="target" href={page.open} rel="noreferrer nofollow">
            {t("element.open")}
            <Icon name="external" size={16} />
          </a>
        </p>
      </section>
      {remedy && listsElements(category) && (
        <section aria-labelledby="todo">
          <h2 id="todo">{t(`rule.todo.${category}`)}</h2>
          <RemedyInWords remedy={remedy} colors={fix?.kind === "colors" ? fix : null} />
        </section>
      )}
      <section aria-labelledby="development" className="technical">
        <h2 id="development">{t("element.technical")}</h2>
        <ElementFacts location={location}>
          <div>
            <dt>{t("element.ruleId")}</dt>
            <dd>
              <code translate="no">{ruleId}</code>
            </dd>
          </div>
        </ElementFacts>
        <CopyButton label={t("element.copySelector")} text={location.target} />
        <h3>{t("element.code")}</h3>
        <ElementCode html={location.html} cut={location.htmlCut} />
        <CopyButton label={t("element.copyCode")} text={location.html} />
        <h3>{t("element.fix")}</h3>
        {/* The colours are shown above already. */}
        <WhatToDo category={category} fix={fix?.kind === "colors" ? null : fix} hints={location.fixes} />
      </section>
      {issue !== null && <IssueSection text={issue} />}
      {notes && <Notes path={rulePath(`${head.base}/notes`, rule) + `/${location.pageId}/${location.position}`} notes={notes} />}
      {category === "violations" && (
        <ElementAcceptance base={head.base} reader={head.reader} ruleId={ruleId} pageId={location.pageId} position={location.position} acceptance={acceptance} />
      )}
      {neighbours && (
        <Neighbours
          label={t("element.order")}
          previous={neighbours.previous && { to: pathOf(neighbours.previous), text: t("element.previous") }}
          here={t(search ? "element.ofPage" : "element.of", { number: neighbours.number, total: neighbours.total })}
          next={neighbours.next && { to: pathOf(neighbours.next), text: t("element.next") }}
        />
      )}
    </ReportFrame>
  );
}
