import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ElementCode } from "~/reports/check/element-code";
import { AcceptForm } from "~/reports/acceptance/accept-form";
import { acceptPath, type AcceptChoice } from "~/reports/acceptance/acceptance-view";
import { acceptanceSchema } from "~/reports/acceptance/form.server";
import { acceptanceNote } from "~/reports/acceptance/views.server";
import { ReportHeading } from "~/reports/view/head/report-heading";
import { ReportFrame } from "~/reports/view/report-frame";
import { AnswerSummary } from "~/ui/form/answer-summary";
import { KeptNotice } from "~/ui/form/kept-notice";
import { LocalizedText } from "~/ui/localized-text";
import { calendarDay } from "~/platform/i18n/calendar-date";
import { textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { keptAnswer } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { readForm } from "~/platform/forms/read-form";
import { rulePath } from "~/reports/report-view";
import { elementView } from "~/findings/finding-views.server";
import { ownReport } from "~/reports/own-report.server";
import { isLocked, ruleRow } from "~/reports/rule-rows.server";
import { reportMeta } from "~/reports/page.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { readRowNumber } from "~/platform/http/row-number";

export const handle = { i18n: ["acceptance", "report", "check"] };
export const clientLoader = preloadNamespaces(["acceptance", "report", "check"]);

/** @throws 404 if the run does not have this violation; a redirect to the rule if its elements are withheld */
async function openTarget(args: LoaderFunctionArgs) {
  const { rule: ruleId = "", page: pageId, position } = args.params;
  const report = await ownReport(args);
  const { run, head, withheld } = report;
  const { reports } = report.readers;
  const rule = report.allRules.find((each) => each.category === "violations" && each.ruleId === ruleId);
  if (!rule) throw data(null, { status: 404 });
  if (isLocked(rule, withheld)) throw redirect(rulePath(head.base, rule), 303);
  const ofRule: AcceptChoice = { scope: "rule", elements: rule.elements + (rule.accepted ?? 0), pages: await reports.pagesOf(run.id, ruleId) };
  if (pageId === undefined) return { report, rule, element: null, choices: [ofRule], path: acceptPath(head.base, ruleId) };
  const at = { pageId: readRowNumber(pageId), position: readRowNumber(position) };
  const element = await reports.location(run.id, { category: "violations", ruleId, ...at });
  if (!element) throw data(null, { status: 404 });
  const alike = await reports.alike(run.id, { ruleId, html: element.html });
  const ofComponent: AcceptChoice[] = alike.elements > 1 ? [{ scope: "component", ...alike }] : [];
  return { report, rule, element, choices: [{ scope: "element" as const, elements: 1, pages: 1 }, ...ofComponent, ofRule], path: acceptPath(head.base, ruleId, at) };
}

export async function loader(args: LoaderFunctionArgs) {
  const { report, rule, element, choices, path } = await openTarget(args);
  const { run, head, locale, reader, withheld } = report;
  const accepted = await args.context.services.acceptances.readerOf(run);
  const acceptance = element ? accepted.ofElement({ pageUrl: element.pageUrl, rule, element }) : accepted.ofRule(rule);
  const t = textsOf(locale).getFixedT(null, "acceptance");
  return data({
    meta: await reportMeta(args, report, `${t("title")}: ${ruleRow(rule, locale, withheld).title.text}`),
    head,
    rule: ruleRow(rule, locale, withheld),
    element: element && { ...elementView(element, locale), pageUrl: element.pageUrl },
    choices,
    path,
    kept: await args.context.visitor.takeKept(path),
    acceptance: acceptance ? acceptanceNote(acceptance, reader) : null,
  });
}

/** Accepts violations. */
export async function action(args: ActionFunctionArgs) {
  const { report, rule, element, choices } = await openTarget(args);
  const { run, userId, locale, base } = report;
  const { services, visitor } = args.context;
  const t = textsOf(locale).getFixedT(null, "acceptance");
  const form = await readForm(args.request);
  const schema = acceptanceSchema(calendarDay(Date.now()), choices.map(({ scope }) => scope));
  const sent = await parseSentForm(args.request, args.context, form, schema, (problem) => t(`problem.${problem as "what_missing"}`));
  if (!sent.value) return sent.refuse();
  const { what, kind, last_day: lastDay = null, reason } = sent.value;
  const { id } = await services.acceptances.accept(userId, run, { scope: what, rule, element }, { kind, lastDay, reason });
  await visitor.flash({ text: "findingAccepted", kind: "done" });
  return redirect(`${base}/accepted#a-${id}`, 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function RunAccept() {
  const { head, rule, element, choices, path, kept, acceptance } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation(["acceptance", "report"]);
  return (
    <ReportFrame head={head} current="violations">
      <AnswerSummary answer={answer} />
      <ReportHeading host={head.host}>{t(`heading.${element ? "element" : "rule"}`)}</ReportHeading>
      {kept && !answer && <KeptNotice />}
      <p className="lead">
        <LocalizedText {...rule.title} />
      </p>
      {element && (
        <>
          <p className="address">{element.pageUrl}</p>
          <ElementCode html={element.html} cut={element.htmlCut} />
        </>
      )}
      <p className="prose-line">{t("lead")}</p>
      {acceptance && <p className="notice">{element ? t("replacesSame", { what: t(`report:accepted.scope.${acceptance.scope}`) }) : t("replaces")}</p>}
      <AcceptForm path={path} choices={choices} acceptance={acceptance} answer={answer ?? keptAnswer(kept)} />
      <ul className="link-list">
        <li>
          <Link to={element ? path.replace(`${head.base}/accept/`, `${head.base}/violations/`) : rulePath(head.base, rule)}>{t("back")}</Link>
        </li>
        <li>
          <Link to={`${head.base}/accepted`}>{t("list.heading")}</Link>
        </li>
      </ul>
    </ReportFrame>
  );
}
