import { z } from "zod";
import {
  CONTACT_FIELDS,
  LONGEST_MESSAGE,
  LONGEST_SUBJECT,
  HONEYPOT,
  type ContactField,
  type ContactProblem,
} from "./fields";
import { parseEmailAddress } from "~/platform/forms/email-address";
import { parseForm } from "~/platform/forms/parse-form";
import { textField } from "~/platform/forms/read-form";
import { cleanLine, cleanText, fits } from "~/platform/forms/typed-text";

export interface SentMessage {
  /** Complete, as typed. */
  values: Record<ContactField, string>;
  /** Null when something is missing or wrong. */
  message: { email: string; subject: string; text: string } | null;
  /** In the order of the fields. */
  problems: { field: ContactField; problem: ContactProblem }[];
}

// Messages are the names of problems; `contact:problem.…` has the texts.
const contactSchema = z.object({
  email: z.string({ error: "email_missing" }).transform((typed, context) => {
    const address = parseEmailAddress(typed);
    if (address !== null) return address;
    context.addIssue({ code: "custom", message: typed.trim() === "" ? "email_missing" : "email_invalid" });
    return z.NEVER;
  }),
  subject: z
    .string({ error: "subject_missing" })
    .transform(cleanLine)
    // A subject that is empty after cleaning counts as missing.
    .pipe(z.string().min(1, "subject_missing").refine(fits(LONGEST_SUBJECT), "subject_long")),
  message: z
    .string({ error: "message_missing" })
    .transform(cleanText)
    .pipe(z.string().min(1, "message_missing").refine(fits(LONGEST_MESSAGE), "message_long")),
  [HONEYPOT]: z.undefined({ error: "trap" }).optional(),
});

/** Reads the contact form; a missing field counts as empty. */
export function readContactForm(form: FormData): SentMessage {
  const typed = new FormData();
  for (const field of CONTACT_FIELDS) typed.set(field, textField(form, field));
  const values = Object.fromEntries(typed) as SentMessage["values"];
  const parsed = parseForm(typed, contactSchema);
  if (parsed.value) {
    const { email, subject, message } = parsed.value;
    return { values, message: { email, subject, text: message }, problems: [] };
  }
  const problems = CONTACT_FIELDS.flatMap((field) => {
    const problem = parsed.problems[field];
    return problem ? [{ field, problem: problem as ContactProblem }] : [];
  });
  return { values, message: null, problems };
}
