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
  /** The day of the check, such as `2026-11-21`. */
  checkedOn: string;
  form: StatementForm;
  /** Null as long as answers are missing. */
  draft: StatementDocument | null;
}

/**
 * The draft of a statement about the site of the run of the address, from the answers in its query.
 * @throws as `ownReport`; a redirect to the run where no page of it could be checked
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
  // Without its elements, a run does not say for how many of them an exception holds.
  const isException = (each: Acceptance) => run.evidence === "gone" && isExceptionByLaw(each) && holdsNow(each) && mayConcern(each, rules, urls);
  const held = (await acceptances.ofWebsite(userId, run)).flatMap((each) => {
    const elements = extent.get(each.id)?.elements;
    return elements !== undefined || isException(each) ? [{ ...each, elements: elements ?? null }] : [];
  });
  const found = { rules, acceptances: held, ...(await reviews.answeredRules(userId, run)), verdicts: await criterionReviews.ofRun(userId, run) };
  return { report, checkedOn, form, draft: statementOf(answers, await statementFacts(pages, run, found, answers.language)) };
}

/** Did the run find the rule, and check the page? What holds for a whole rule needs no elements. @param urls as `urlWithoutFragment` */
function mayConcern({ scope, ruleId, pageUrl }: Acceptance, rules: RuleResult[], urls: ReadonlySet<string>): boolean {
  const isFound = rules.some((rule) => rule.category === "violations" && rule.ruleId === ruleId);
  return scope !== "rule" && isFound && (pageUrl === null || urls.has(urlWithoutFragment(pageUrl)));
}
