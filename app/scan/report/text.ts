import type { CheckedPage, FindingResult, PageResult, Reason } from "~/scan/types";
import { gapsOf } from "./gaps";
import { targetText } from "./run";

const REASON_TEXT: Record<Reason, string> = {
  invalid_url: "this is no web address",
  blocked_address: "the address is not public",
  dns: "the host has no address",
  refused: "nobody answers there",
  tls: "no secure connection could be made",
  timeout: "it did not answer in time",
  http_status: "the site answered with an error",
  not_html: "it is not a web page",
  bot_protection: "a bot protection answered in the place of the site",
  robots: "robots.txt does not allow it",
  too_large: "the page is too large",
  redirect_loop: "it leads on and on and never arrives",
  download: "it is a file to download",
  crashed: "the browser could not cope with the page",
  empty: "the page shows nothing",
};

const SHOWN_ELEMENTS = 3;

/** A page for people to read in a terminal. */
export function pageText(page: PageResult): string {
  const lines = page.status === "failed" ? [failureLine(page)] : [...headLines(page), ...findingLines(page)];
  return `${[printable(page.finalUrl), ...lines.map((line) => `  ${line}`)].join("\n")}\n\n`;
}

function failureLine({ reason, detail }: Extract<PageResult, { status: "failed" }>): string {
  const facts = [detail.httpStatus, detail.contentType, detail.technical].filter(
    (fact) => fact !== undefined,
  );
  return `Not checked (${reason}): ${REASON_TEXT[reason]}${facts.length > 0 ? ` – ${printable(facts.join(", "))}` : ""}`;
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

/** A page must not steer the terminal. */
const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").slice(0, 300);
