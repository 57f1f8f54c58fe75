import { z } from "zod";
import { cleanText, fits } from "~/platform/forms/typed-text";

const LONGEST_NOTE = 2_000;

/** Form for a note; messages are the names of problems (`acceptance:note.problem.…`). */
export const noteSchema = z.object({
  note: z.string({ error: "missing" }).transform(cleanText).pipe(z.string().min(1, "missing").refine(fits(LONGEST_NOTE), "long")),
});
