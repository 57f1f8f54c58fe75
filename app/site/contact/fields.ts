export const LONGEST_SUBJECT = 150;
export const LONGEST_MESSAGE = 5_000;

/** Honeypot: bots fill in every field; people do not see this one. */
export const HONEYPOT = "homepage";

/** The fields of the contact form in the order in which the page shows them. */
export const CONTACT_FIELDS = ["email", "subject", "message", HONEYPOT] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];

/** Problems of the fields; `contact:problem.…` has the texts. */
export type ContactProblem =
  | "email_missing"
  | "email_invalid"
  | "subject_missing"
  | "subject_long"
  | "message_missing"
  | "message_long"
  | "trap";
