import { z } from "zod";
import { textField } from "~/platform/forms/read-form";
import { ANSWERS } from "./answer";
import type { GivenAnswer } from "./review.server";
import { answerField, reasonField, shownAnswer } from "./view";
import { cleanLine } from "~/platform/forms/typed-text";

const LONGEST_REASON = 500;
/** Maximum number of questions in a form, more than any page shows; larger forms are refused. */
const MOST_QUESTIONS = 100;

/** Form for an answer; messages are the names of problems (`reviews:problem.…`). */
export const answerSchema = z
  .object({
    rule: z.string({ error: "gone" }).max(200, "gone"),
    group: z.string({ error: "gone" }).regex(/^[\w-]{10,40}$/, "gone"),
    answer: z.enum(ANSWERS, { error: "answer_missing" }),
    reason: z
      .string()
      .transform(cleanLine)
      .pipe(z.string().max(LONGEST_REASON, "reason_long"))
      .optional(),
  })
  .superRefine(({ answer, reason }, context) => {
    if (answer === "ignore" && !reason) context.addIssue({ code: "custom", path: ["reason"], message: "reason_missing" });
  });

interface ReadAnswers {
  given: GivenAnswer[];
  /** Names of problems of incomplete answers, by field. */
  problems: { field: string; problem: string }[];
  /** Typed values by field, for showing the form again. */
  values: Record<string, string>;
}

/**
 * Reads a form of many questions, each with `rule`, `group` and, by its number from 0, `answer-N`, `reason-N` and `was-N`, its answer when
 * the form was shown. A question without an answer stays open; an unchanged answer is not saved again.
 */
export function readAnswers(form: FormData): ReadAnswers {
  const all = form.getAll("group");
  const groups = all.slice(0, MOST_QUESTIONS).map(String);
  const rules = form.getAll("rule").map(String);
  const read: ReadAnswers = { given: [], problems: [], values: {} };
  for (const [number, fingerprint] of groups.entries()) {
    const ruleId = rules[number] ?? "";
    const [answer, reason] = [textField(form, `answer-${number}`), cleanLine(textField(form, `reason-${number}`))];
    if (shownAnswer(answer, reason) === textField(form, `was-${number}`)) continue;
    const question = { ruleId, fingerprint };
    read.values[answerField(question)] = answer;
    read.values[reasonField(question)] = textField(form, `reason-${number}`);
    const { data, error } = answerSchema.safeParse({ rule: ruleId, group: fingerprint, answer, reason });
    if (data) read.given.push({ ...question, answer: data.answer, reason: data.reason || null });
    for (const { path, message } of error?.issues ?? []) {
      read.problems.push({ field: path[0] === "reason" ? reasonField(question) : path[0] === "answer" ? answerField(question) : "questions", problem: message });
    }
  }
  if (all.length > groups.length) read.problems.push({ field: "questions", problem: "gone" });
  if (read.given.length + read.problems.length === 0) read.problems.push({ field: "questions", problem: "nothing" });
  return read;
}
