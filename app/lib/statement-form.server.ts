import { parseWithZod } from "@conform-to/zod/v4";
import { z } from "zod";
import { LOCALES } from "./i18n";
import type { StatementAnswers } from "./statement-document";

const MAX_LINE = 300;
const MAX_TEXT = 3_000;

const line = (problem: string) => z.string({ error: problem }).trim().min(1, problem).max(MAX_LINE, "too_long");
const text = (problem: string) => z.string({ error: problem }).trim().min(1, problem).max(MAX_TEXT, "too_long");
const optional = z.string().trim().max(MAX_TEXT, "too_long").default("");

const schema = z.object({
  service: line("service_missing"),
  operator: text("operator_missing"),
  contact: text("contact_missing"),
  description: text("description_missing"),
  use: optional,
  exceptions: optional,
  date: z.iso.date("date_unknown"),
  authority: optional,
  language: z.enum(LOCALES, "language_unknown"),
});

export const STATEMENT_PROBLEMS = [
  ...(["service_missing", "operator_missing", "contact_missing", "description_missing"] as const),
  ...(["date_unknown", "language_unknown", "too_long"] as const),
];
export type StatementProblem = (typeof STATEMENT_PROBLEMS)[number];

export interface StatementForm {
  /** As typed, by the names of the fields. */
  typed: Partial<Record<keyof StatementAnswers, string>>;
  /** Null when something is missing or wrong, or nothing was sent. */
  answers: StatementAnswers | null;
  /** In the order of the fields. */
  problems: { field: keyof StatementAnswers; problem: StatementProblem }[];
}

/** Reads the form, which stands in the address, so that nothing has to be stored. */
export function readStatementForm(query: URLSearchParams): StatementForm {
  const fields = Object.keys(schema.shape) as (keyof StatementAnswers)[];
  const typed = Object.fromEntries(fields.flatMap((field) => (query.has(field) ? [[field, query.get(field) ?? ""]] : [])));
  if (Object.keys(typed).length === 0) return { typed, answers: null, problems: [] };
  const submission = parseWithZod(query, { schema });
  if (submission.status === "success") return { typed, answers: submission.value, problems: [] };
  const { error } = submission;
  const problems = fields.flatMap((field) => {
    const problem = STATEMENT_PROBLEMS.find((known) => known === error?.[field]?.[0]);
    return problem ? [{ field, problem }] : [];
  });
  return { typed, answers: null, problems };
}
