import { z } from "zod";
import { cleanLine } from "~/platform/forms/typed-text";
import { LIFETIMES } from "./scopes";

const LONGEST_NAME = 60;

/** Schema of the form that creates a token, without its checkboxes. Messages are the names of problems (`tokens:formProblem.…`). */
export const tokenFormSchema = z.object({
  name: z
    .string({ error: "name_missing" })
    .transform(cleanLine)
    .pipe(z.string().min(1, "name_missing").max(LONGEST_NAME, "name_long")),
  lifetime: z.enum(LIFETIMES, "lifetime_unknown").transform((days) => (days === "never" ? null : Number(days))),
  currentPassword: z.string().optional(),
});
