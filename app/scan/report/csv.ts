import type { FindingResult, PageResult } from "~/scan/types";
import { failureSummary } from "./failure-summary";
import { gapsOf, unlisted, type Gap } from "./gaps";
import { targetText } from "./run";

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
type Row = Partial<Record<(typeof COLUMNS)[number], string>>;

/** The first line; lines end as RFC 4180 wants. */
export const csvHead = () => line([...COLUMNS]);

/**
 * A page's lines: one for each element that violates a rule or needs a person, one for those that are counted but not
 * listed, one for each thing that was not checked; one where there is nothing at all.
 */
export function csvLines(page: PageResult): string {
  return rowsOf(page)
    .map((row) => line(COLUMNS.map((column) => row[column] ?? "")))
    .join("");
}

function rowsOf(page: PageResult): Row[] {
  const base = { page: page.finalUrl, status: page.status };
  if (page.status === "failed") return [{ ...base, reason: page.reason }];
  const { violations, incomplete } = page.findings;
  const rows = [
    ...violations.flatMap(rowsAs("violation")),
    ...incomplete.flatMap(rowsAs("incomplete")),
    ...gapsOf(page).map(rowOfGap),
  ];
  return rows.length === 0 ? [base] : rows.map((row) => ({ ...base, ...row }));
}

const rowsAs =
  (result: string) =>
  (finding: FindingResult): Row[] => {
    const { ruleId, help, helpUrl, impact, elements } = finding;
    const base = { result, rule: ruleId, impact: impact ?? "", help, help_url: helpUrl };
    const rows: Row[] = elements.map(({ target, html, impact, checks }) => ({
      ...base,
      impact: impact ?? "",
      element: targetText(target),
      html,
      summary: failureSummary(checks),
    }));
    const more = unlisted(finding);
    return more > 0 ? [...rows, { ...base, summary: `${more} more elements are not listed` }] : rows;
  };

const rowOfGap = ({ kind, text, ruleId, address }: Gap): Row => ({
  result: "not checked",
  reason: kind,
  rule: ruleId,
  element: address,
  summary: text,
});

const line = (cells: string[]) => `${cells.map(cell).join(",")}\r\n`;

/** What a spreadsheet would take for a formula gets an apostrophe in front (OWASP, "CSV injection"). */
function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
