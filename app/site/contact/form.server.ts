import { z } from "zod";
import { HONEYPOT, LONGEST_MESSAGE, LONGEST_SUBJECT } from "./fields";
import { emailField } from "~/platform/forms/email-field.server";
import { cleanLine, cleanText, fits } from "~/platform/forms/typed-text";

// Messages are the names of problems; `contact:problem.…` has the texts.
/** `message` is the text, `email` the normalized address. */
export const contactSchema = z.object({
  email: emailField,
  subject: z
    .string({ error: "subject_missing" })
    .transform(cleanLine)
    // A subject that is empty after cleaning counts as missing.
    .pipe(z.string().min(1, "subject_missing").refine(fits(LONGEST_SUBJECT), "subject_long")),
  message: z
    .string({ error: "message_missing" })
    .transform(cleanText)
    .pipe(z.string().min(1, "message_missing").refine(fits(LONGEST_MESSAGE), "message_long")),
  [HONEYPOT]: z.undefined({ error: "honeypot" }).optional(),
});
