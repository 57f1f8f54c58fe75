export const LONGEST_SUBJECT = 150;
export const LONGEST_MESSAGE = 5_000;

/** Honeypot: bots fill in every field; people do not see this one. */
export const HONEYPOT = "homepage";

/** Problems of the fields; `contact:problem.…` has the texts. */
export type ContactProblem =
  | "email_missing"
  | "email_invalid"
  | "subject_missing"
  | "subject_long"
  | "message_missing"
  | "message_long"
  | "honeypot";
