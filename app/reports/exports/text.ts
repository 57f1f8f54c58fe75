import type { CheckedPage, FindingResult, PageResult, UncheckedPage } from "~/scan/types";
import { addressNotes } from "./addresses";
import { failureText } from "./failure";
import { gapsOf } from "./gaps";
import { targetText } from "./run";

const SHOWN_ELEMENTS = 3;

/** A page as text for a terminal. */
export function pageText(page: PageResult): string {
  const lines = page.status === "failed" ? [failureLine(page)] : [...headLines(page), ...findingLines(page)];
  const notes = [...addressNotes(page)].map(printable);
  return `${[printable(page.url), ...[...notes, ...lines].map((line) => `  ${line}`)].join("\n")}\n\n`;
}

function failureLine(page: UncheckedPage): string {
  const { reason, detail } = page;
  const facts = [detail.contentType, detail.technical].filter((fact) => fact !== undefined);
  return `Not checked (${reason}): ${failureText(page)}${facts.length > 0 ? ` – ${printable(facts.join(", "))}` : ""}`;
}

function* headLines(page: CheckedPage): Generator<string> {
  const { title, durationMs, findings } = page;
  const elements = findings.violations.reduce((sum, { elementCount }) => sum + elementCount, 0);
  yield `${title ? `“${printable(title)}”, ` : ""}${durationMs} ms`;
  const gaps = gapsOf(page);
  yield (
    `${count(findings.violations.length, "violated rule")}, ${count(elements, "element")}; ` +
    `${count(findings.incomplete.length, "rule")} to be reviewed by a person` +
    (gaps.length > 0 ? "; not all of the page was checked:" : "")
  );
  for (const { text } of gaps) yield printable(text);
}

function* findingLines({ findings }: CheckedPage): Generator<string> {
  for (const finding of findings.violations) yield* linesOf(finding, finding.impact ?? "violation");
  for (const finding of findings.incomplete) yield* linesOf(finding, "review");
}

function* linesOf({ ruleId, help, elementCount, elements }: FindingResult, label: string): Generator<string> {
  yield `${label.padEnd(9)} ${ruleId}: ${help} (${elementCount})`;
  for (const { target } of elements.slice(0, SHOWN_ELEMENTS))
    yield `${" ".repeat(10)}${printable(targetText(target))}`;
  if (elementCount > SHOWN_ELEMENTS) yield `${" ".repeat(10)}… and ${elementCount - SHOWN_ELEMENTS} more`;
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** Security: text of a page must not control the terminal. */
const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").slice(0, 300);
