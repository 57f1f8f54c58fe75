import type { ExceptionKind } from "~/findings/acceptance/acceptance";
import type { CriterionState } from "~/findings/success-criteria";
import type { Locale } from "~/platform/i18n/i18n";

/** Answers of the service provider. */
export interface StatementAnswers {
  service: string;
  operator: string;
  contact: string;
  description: string;
  use: string;
  exceptions: string;
  /** Day in ISO 8601. */
  date: string;
  /** "" for the default. */
  authority: string;
  language: Locale;
}

/** `by_hand`: neither a person nor the check found a fault. `judged`: a person judged the reported violations to be no barrier. */
export type StatementState = Exclude<CriterionState, "accepted"> | "by_hand" | "judged";

/** Results of a scan; texts in the language of the statement. */
export interface StatementFacts {
  url: string;
  /** Unix time in ms. */
  checkedAt: number;
  /** Name such as `WCAG 2.2 AA`. */
  standard: string;
  engine: string;
  /** Number of checked pages, and of those that could not be checked. */
  pages: number;
  failedPages: number;
  /** Whether pages were also tested in use, without connection. */
  inUse: boolean;
  gaps: Record<"incomplete" | "onlyOne" | "levelAA" | "partial" | "notLoaded" | "concealed" | "frames", boolean>;
  /** `beyond`: not required by EN 301 549 V3.2.1, the standard in force for websites; `applies`: false if a person says so. */
  criteria: { name: string; beyond: boolean; applies: boolean; state: StatementState; rules: string[] }[];
  /** Whether the scan reported violations of success criteria that people judged to be no barrier. */
  hasJudgedViolations: boolean;
  /** Accepted violations with an exception by law; `elements`: null if the number is no longer known. */
  exceptions: { kind: ExceptionKind; rule: string; elements: number | null; lastDay: string | null; reason: string }[];
  /** Number of criteria that people assessed, and the latest time, as Unix time in ms; null for none. */
  byHand: { count: number; lastAt: number } | null;
}

export interface StatementSection {
  heading: string;
  paragraphs: string[];
  list: string[];
}

/** Statement in plain words, for a page, HTML and text. */
export interface StatementDocument {
  lang: Locale;
  title: string;
  note: string;
  sections: StatementSection[];
}

/** The statement as a standalone HTML page. */
export function statementHtml({ lang, title, note, sections }: StatementDocument): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text).replaceAll("\n", "<br>\n")}</p>`;
  const body = sections.map(({ heading, paragraphs, list }) => {
    const items = list.map((item) => `<li>${escapeHtml(item)}</li>`).join("\n");
    return [`<h2>${escapeHtml(heading)}</h2>`, ...paragraphs.map(paragraph), ...(items ? [`<ul>\n${items}\n</ul>`] : [])].join("\n");
  });
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${paragraph(note)}
${body.join("\n")}
</main>
</body>
</html>
`;
}

/** The statement as plain text, one line per paragraph. */
export function statementText({ title, note, sections }: StatementDocument): string {
  const body = sections.map(({ heading, paragraphs, list }) =>
    [`${heading}\n${"-".repeat(heading.length)}`, ...paragraphs, ...(list.length > 0 ? [list.map((item) => `- ${item}`).join("\n")] : [])].join("\n\n"),
  );
  return `${[`${title}\n${"=".repeat(title.length)}`, note, ...body].join("\n\n")}\n`;
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
