import { z } from "zod";
import { textField } from "~/platform/forms/read-form";
import { cleanText, fits } from "~/platform/forms/typed-text";
import { confirmField, noteField, verdictField } from "./criterion-question-view";
import { markOf, type GivenVerdict } from "./criterion-reviews.server";
import { VERDICTS } from "./verdict";

const LONGEST_NOTE = 1_000;
/** Maximum number of criteria in a form, more than any standard has; larger forms are refused. */
const MOST_CRITERIA = 100;

/** Form for a verdict; messages are the names of problems (`reviews:criteria.problem.…`). */
export const verdictSchema = z
  .object({
    criterion: z.string({ error: "gone" }).regex(/^\d\.\d\.\d{1,2}$/, "gone"),
    verdict: z.enum(VERDICTS, { error: "verdict_missing" }),
    note: z.string().transform(cleanText).pipe(z.string().refine(fits(LONGEST_NOTE), "note_long")).optional(),
  })
  .superRefine(({ verdict, note }, context) => {
    if (verdict === "not_fulfilled" && !note) context.addIssue({ code: "custom", path: ["note"], message: "note_missing" });
  });

interface ReadVerdicts {
  given: GivenVerdict[];
  /** Names of problems of incomplete verdicts, by field. */
  problems: { field: string; problem: string }[];
  /** Typed values by field, for showing the form again. */
  values: Record<string, string>;
}

/**
 * Reads a form of many criteria, each with `criterion` and, by its number from 0, `verdict-N`, `note-N` and `was-N`, the mark of its
 * verdict when the form was shown. A criterion without a verdict stays open; an unchanged verdict is not saved again, unless
 * `confirm-N` confirms it. A program may send one criterion with `verdict` and `note` instead, which replaces any stored verdict.
 */
export function readVerdicts(form: FormData): ReadVerdicts {
  const read: ReadVerdicts = { given: [], problems: [], values: {} };
  const all = form.getAll("criterion");
  const criteria = all.slice(0, MOST_CRITERIA).map(String);
  for (const [number, criterion] of criteria.entries()) {
    const typed = (name: string) => textField(form, number > 0 || form.has(`${name}-0`) ? `${name}-${number}` : name);
    const [verdict, note] = [typed("verdict"), typed("note")];
    const was = form.has(`was-${number}`) ? textField(form, `was-${number}`) : undefined;
    const isConfirmed = textField(form, `confirm-${number}`) !== "";
    if (markOf({ verdict, note: cleanText(note) }) === was && !(isConfirmed && was !== "")) continue;
    if (isConfirmed) read.values[confirmField(criterion)] = "yes";
    read.values[verdictField(criterion)] = verdict;
    read.values[noteField(criterion)] = note;
    const { data, error } = verdictSchema.safeParse({ criterion, verdict, note });
    if (data) read.given.push({ criterion, verdict: data.verdict, note: data.note || null, was });
    for (const { path, message } of error?.issues ?? []) {
      read.problems.push({ field: path[0] === "note" ? noteField(criterion) : path[0] === "verdict" ? verdictField(criterion) : "questions", problem: message });
    }
  }
  if (all.length > criteria.length) read.problems.push({ field: "questions", problem: "gone" });
  if (read.given.length + read.problems.length === 0) read.problems.push({ field: "questions", problem: "nothing" });
  return read;
}
