import { z } from "zod";
import { LOCALES } from "~/platform/i18n/i18n";
import type { StatementAnswers } from "./document";
import { parseForm } from "~/platform/forms/parse-form";
import { cleanLine, cleanText, dayTyped, fits } from "~/platform/forms/typed-text";

const MAX_LINE = 300;
// One address contains all answers: `MAX_HEADER_BYTES` in `app/server/process/serve.server.ts` has room for them.
const MAX_TEXT = 1_500;

const short = z.string().refine(fits(MAX_LINE), "line_long");
const long = z.string().refine(fits(MAX_TEXT), "text_long");
const notEmpty = (typed: string) => typed !== "";
// Empty after cleaning also counts as missing.
const line = (problem: string) => z.string({ error: problem }).transform(cleanLine).refine(notEmpty, problem).pipe(short);
const text = (problem: string) => z.string({ error: problem }).transform(cleanText).refine(notEmpty, problem).pipe(long);
const optional = z
  .string()
  .transform(cleanText)
  .pipe(long)
  .default("");

const schema = z.object({
  service: line("service_missing"),
  operator: text("operator_missing"),
  contact: text("contact_missing"),
  description: text("description_missing"),
  use: optional,
  exceptions: optional,
  date: z.string({ error: "date_unknown" }).transform(dayTyped).pipe(z.iso.date("date_unknown")),
  authority: optional,
  language: z.enum(LOCALES, "language_unknown"),
});

const STATEMENT_PROBLEMS = [
  ...(["service_missing", "operator_missing", "contact_missing", "description_missing"] as const),
  ...(["date_unknown", "date_before_check", "language_unknown", "line_long", "text_long"] as const),
];
type StatementProblem = (typeof STATEMENT_PROBLEMS)[number];

export interface StatementForm {
  /** Typed values by the names of the fields. */
  typed: Partial<Record<keyof StatementAnswers, string>>;
  /** Null if an answer is missing or wrong, or if nothing was sent. */
  answers: StatementAnswers | null;
  /** Problems in the order of the fields. */
  problems: { field: keyof StatementAnswers; problem: StatementProblem }[];
}

/**
 * Reads the form from the address, so that nothing has to be stored.
 * @param checkedOn day of the check, such as `2026-11-21`: the statement cannot be older than its results
 */
export function readStatementForm(query: URLSearchParams, checkedOn: string): StatementForm {
  const dated = schema.extend({ date: schema.shape.date.refine((date) => date >= checkedOn, "date_before_check") });
  const names = Object.keys(schema.shape) as (keyof StatementAnswers)[];
  const typed = Object.fromEntries(names.flatMap((field) => (query.has(field) ? [[field, query.get(field) ?? ""]] : [])));
  if (Object.keys(typed).length === 0) return { typed, answers: null, problems: [] };
  const parsed = parseForm(query, dated);
  if (parsed.value) return { typed, answers: parsed.value, problems: [] };
  const problems = names.flatMap((field) => {
    const problem = STATEMENT_PROBLEMS.find((known) => known === parsed.problems[field]);
    return problem ? [{ field, problem }] : [];
  });
  return { typed, answers: null, problems };
}
