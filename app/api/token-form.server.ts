import { z } from "zod";
import { LIFETIMES } from "./scopes";

const LONGEST_NAME = 60;

/** The form that creates a token, without its checkboxes. Messages are the names of problems (`tokens:formProblem.…`). */
export const tokenFormSchema = z.object({
  name: z
    .string({ error: "name_missing" })
    // Removes invisible characters, and those that change the text direction.
    .transform((typed) => typed.replace(/\p{C}+/gu, " ").trim())
    .pipe(z.string().min(1, "name_missing").max(LONGEST_NAME, "name_long")),
  lifetime: z.enum(LIFETIMES, "lifetime_unknown").transform((days) => (days === "never" ? null : Number(days))),
  currentPassword: z.string().optional(),
});
