import { z } from "zod";
import { ANSWERS } from "./answer";
import { cleanLine } from "~/platform/forms/typed-text";

const LONGEST_REASON = 500;

/** The form for an answer; messages are the names of problems (`reviews:problem.…`). */
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
