import type { FindingResult, PageResult } from "~/scan/types";
import { failureSummary } from "./failure-summary";
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

/** A page's lines: one for each element that violates a rule or needs a person, one where there is none. */
export function csvLines(page: PageResult): string {
  return rowsOf(page)
    .map((row) => line(COLUMNS.map((column) => row[column] ?? "")))
    .join("");
}

function rowsOf(page: PageResult): Row[] {
  const base = { page: page.finalUrl, status: page.status };
  if (page.status === "failed") return [{ ...base, reason: page.reason }];
  const { violations, incomplete } = page.findings;
  const rows = [...violations.flatMap(rowsAs("violation")), ...incomplete.flatMap(rowsAs("incomplete"))];
  return rows.length === 0 ? [base] : rows.map((row) => ({ ...base, ...row }));
}

const rowsAs =
  (result: string) =>
  (finding: FindingResult): Row[] =>
    finding.elements.map(({ target, html, impact, checks }) => ({
      result,
      rule: finding.ruleId,
      impact: impact ?? "",
      help: finding.help,
      help_url: finding.helpUrl,
      element: targetText(target),
      html,
      summary: failureSummary(checks),
    }));

const line = (cells: string[]) => `${cells.map(cell).join(",")}\r\n`;

/** What a spreadsheet would take for a formula gets an apostrophe in front (OWASP, "CSV injection"). */
function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
