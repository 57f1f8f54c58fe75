import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { calendarDay } from "~/platform/i18n/calendar-date";
import { readStatementForm, type StatementForm } from "./form.server";
import type { StatementDocument } from "./document";
import { statementOf } from "./words.server";
import { statementFacts } from "./statement.server";
import { holdsNow, isExceptionByLaw, type Acceptance } from "~/findings/acceptance/acceptance";
import { urlWithoutFragment } from "~/findings/acceptance/acceptance-scope";
import { ownReport } from "~/reports/own-report.server";
import type { OpenReport } from "~/reports/page.server";
import type { RuleResult } from "~/reports/report.server";

export interface StatementDraft {
  report: OpenReport;
  /** Day of the check, such as `2026-11-21`. */
  checkedOn: string;
  form: StatementForm;
  /** Null while answers are missing. */
  draft: StatementDocument | null;
}

/**
 * Draft of a statement for the site of the address's run, from the answers in the query.
 * @throws as `ownReport`; a redirect to the run if no page of it could be checked
 */
export async function openStatement(args: LoaderFunctionArgs): Promise<StatementDraft> {
  const report = await ownReport(args);
  const { run, allRules: rules, userId } = report;
  const { pages, reviews, criterionReviews, acceptances } = args.context.services;
  if (run.stats.pages === run.stats.failedPages) throw redirect(report.base, 303);
  const checkedOn = calendarDay(run.finishedAt ?? run.createdAt);
  const form = readStatementForm(new URL(args.request.url).searchParams, checkedOn);
  const { answers } = form;
  if (!answers) return { report, checkedOn, form, draft: null };
  const { extent } = await acceptances.ofRun(run.id);
  const urls = new Set((await pages.ofRun(run.id)).map(({ url }) => urlWithoutFragment(url)));
  // If its elements are deleted, a run does not show the number of elements with an exception.
  const isException = (each: Acceptance) => run.evidence === "gone" && isExceptionByLaw(each) && holdsNow(each) && mayConcern(each, rules, urls);
  const held = (await acceptances.ofWebsite(userId, run)).flatMap((each) => {
    const elements = extent.get(each.id)?.elements;
    return elements !== undefined || isException(each) ? [{ ...each, elements: elements ?? null }] : [];
  });
  const found = { rules, acceptances: held, ...(await reviews.answeredRules(userId, run)), verdicts: await criterionReviews.ofRun(userId, run) };
  return { report, checkedOn, form, draft: statementOf(answers, await statementFacts(pages, run, found, answers.language)) };
}

/** Whether the run found the rule and checked the page. An acceptance of a whole rule needs no elements. @param urls as `urlWithoutFragment` */
function mayConcern({ scope, ruleId, pageUrl }: Acceptance, rules: RuleResult[], urls: ReadonlySet<string>): boolean {
  const isFound = rules.some((rule) => rule.category === "violations" && rule.ruleId === ruleId);
  return scope !== "rule" && isFound && (pageUrl === null || urls.has(urlWithoutFragment(pageUrl)));
}
