import type { Acceptance } from "~/findings/acceptance/acceptance";
import { problemOf } from "~/findings/rules/titles.server";
import { reachedElsewhere } from "~/scan/redirect";
import type { ElementResult, FindingResult, PageResult } from "~/scan/types";
import { failureText } from "./failure";
import { BYTE_ORDER_MARK, csvLine } from "./csv-line";
import { failureSummary } from "./failure-summary";
import { gapsOf, unlisted, unlistedText, type Gap } from "./gaps";
import { notesOf } from "./notes";
import { targetText, type Assessment, type JudgementOf, type RunFacts } from "./run";

const COLUMNS = [
  "page",
  "status",
  "reason",
  "result",
  "rule",
  "impact",
  "help",
  "help_url",
  "element",
  "html",
  "summary",
] as const;
/** Columns of runs with reviews by people. */
const REVIEW_COLUMNS = ["review", "review_reason", "reviewed_by", "reviewed_at"] as const;
/** Last columns, because they were added last: the other columns keep their positions. `reached` is empty if equal to `page`. */
const LATER_COLUMNS = ["reached", "linked_from", "source", "problem"] as const;
/** Columns of runs with accepted violations. */
const ACCEPTANCE_COLUMNS = ["accepted_kind", "accepted_until"] as const;
const PAGE_COLUMNS = [...COLUMNS, ...LATER_COLUMNS];
const ALL_COLUMNS = [...COLUMNS, ...REVIEW_COLUMNS, ...LATER_COLUMNS, ...ACCEPTANCE_COLUMNS];
type Row = Partial<Record<(typeof ALL_COLUMNS)[number], string>>;

const line = csvLine(",");

/**
 * Table of a run in parts, one page at a time, for programs: in English, with stable column names. Notes about the whole run
 * come first. The table for people is in `csv-for-readers.server.ts`.
 */
export async function* csvParts(run: RunFacts, pages: AsyncIterable<PageResult>): AsyncGenerator<string, void> {
  yield `${BYTE_ORDER_MARK}${line([...ALL_COLUMNS])}${linesOf(rowsOfRun(run), ALL_COLUMNS)}`;
  for await (const page of pages) yield linesOf(rowsOf(page, run), ALL_COLUMNS);
}

/** The header line; line ends as in RFC 4180. */
export const csvHead = () => line([...PAGE_COLUMNS]);

/**
 * Lines of a page: one per element that violates a rule or needs review, one for elements that are counted but not listed,
 * one per gap; one line if there are none of them.
 */
export function csvLines(page: PageResult): string {
  return linesOf(rowsOf(page), PAGE_COLUMNS);
}

const linesOf = (rows: Row[], columns: readonly (keyof Row)[]) =>
  rows.map((row) => line(columns.map((column) => row[column] ?? ""))).join("");

function rowsOfRun(run: RunFacts): Row[] {
  const base = { page: run.url, status: run.status, result: "run" };
  const notes = notesOf(run).map(({ kind, text }): Row => ({ ...base, reason: kind, summary: text }));
  return [...notes, ...(run.assessments ?? []).map((assessment) => ({ ...base, ...rowOfAssessment(assessment) }))];
}

const rowOfAssessment = ({ criterion, verdict, note, by, at }: Assessment): Row => ({
  result: "criterion",
  rule: criterion,
  review: verdict,
  review_reason: note ?? "",
  reviewed_by: by,
  reviewed_at: new Date(at).toISOString(),
});

function rowsOf(page: PageResult, { judgementOf, accepted }: Pick<RunFacts, "judgementOf" | "accepted"> = {}): Row[] {
  const base = { page: page.url, status: page.status, reached: reachedElsewhere(page) ?? "" };
  if (page.status === "failed") {
    return [{ ...base, reason: page.reason, summary: failureText(page), linked_from: page.linkedFrom ?? "" }];
  }
  const { violations, incomplete } = page.findings;
  const rows = [
    ...violations.flatMap(rowsAs("violation", (rule, element) => acceptedOf(element ? accepted?.ofElement({ pageUrl: page.url, rule, element }) : accepted?.ofRule(rule)))),
    ...incomplete.flatMap(
      rowsAs("incomplete", (rule, element) => reviewOf(element && judgementOf?.({ pageUrl: page.url, rule, element }))),
    ),
    ...gapsOf(page).map(rowOfGap),
  ];
  return rows.length === 0 ? [base] : rows.map((row) => ({ ...base, ...row }));
}

const reviewOf = (judgement: ReturnType<JudgementOf>): Row =>
  judgement
    ? {
        review: judgement.answer,
        review_reason: judgement.reason ?? "",
        reviewed_by: judgement.by,
        reviewed_at: new Date(judgement.at).toISOString(),
      }
    : {};

const acceptedOf = (acceptance: Acceptance | undefined): Row =>
  acceptance
    ? {
        review: "accepted",
        review_reason: acceptance.reason,
        reviewed_by: acceptance.by,
        reviewed_at: new Date(acceptance.at).toISOString(),
        accepted_kind: acceptance.kind,
        accepted_until: acceptance.lastDay ?? "",
      }
    : {};

const rowsAs =
  (result: string, more: (rule: FindingResult, element?: ElementResult) => Row = () => ({})) =>
  (finding: FindingResult): Row[] => {
    const { ruleId, source, help, helpUrl, impact, elements } = finding;
    const base = { result, rule: ruleId, impact: impact ?? "", help, help_url: helpUrl, source, problem: (result === "violation" && problemOf(ruleId, "en")) || "" };
    const rows: Row[] = elements.map((element) => ({
      ...base,
      impact: element.impact ?? "",
      element: targetText(element.target),
      html: element.html,
      summary: failureSummary(element.checks),
      ...more(finding, element),
    }));
    const others = unlisted(finding);
    return others > 0 ? [...rows, { ...base, summary: unlistedText(finding), ...more(finding) }] : rows;
  };

const rowOfGap = ({ kind, text, ruleId, address }: Gap): Row => ({
  result: "not checked",
  reason: kind,
  rule: ruleId,
  element: address,
  summary: text,
});
