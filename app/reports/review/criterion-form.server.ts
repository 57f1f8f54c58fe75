import { z } from "zod";
import { cleanText, fits } from "~/platform/forms/typed-text";
import { VERDICTS } from "./verdict";

const LONGEST_NOTE = 1_000;

/** The form for a verdict; messages are the names of problems (`reviews:criteria.problem.…`). */
export const verdictSchema = z
  .object({
    criterion: z.string({ error: "gone" }).regex(/^\d\.\d\.\d{1,2}$/, "gone"),
    verdict: z.enum(VERDICTS, { error: "verdict_missing" }),
    note: z.string().transform(cleanText).pipe(z.string().refine(fits(LONGEST_NOTE), "note_long")).optional(),
  })
  .superRefine(({ verdict, note }, context) => {
    if (verdict === "not_fulfilled" && !note) context.addIssue({ code: "custom", path: ["note"], message: "note_missing" });
  });
