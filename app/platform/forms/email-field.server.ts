import { z } from "zod";
import { parseEmailAddress } from "./email-address";

/** The field of an e-mail address, normalized; its messages are the names of problems. */
export const emailField = z.string({ error: "email_missing" }).transform((typed, context) => {
  const address = parseEmailAddress(typed);
  if (address !== null) return address;
  context.addIssue({ code: "custom", message: typed.trim() === "" ? "email_missing" : "email_invalid" });
  return z.NEVER;
});
