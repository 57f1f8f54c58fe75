import { z } from "zod";
import { emailField } from "~/platform/forms/email-field.server";

/** Reason to refuse a password; undefined for a good one. */
export type PasswordProblem = (password: string, personal: string[]) => NewPasswordProblem | undefined;
type NewPasswordProblem =
  | "password_short"
  | "password_long"
  | "password_common"
  | "password_simple"
  | "password_personal";

const LONGEST_NAME = 100;

// Messages are names of problems; their texts are in `account:problem.…`.
const name = z
  .string({ error: "name_missing" })
  // Without invisible characters and changes of text direction.
  .transform((typed) => typed.replace(/\p{C}+/gu, " ").trim())
  // An empty name counts as missing.
  .pipe(z.string({ error: "name_missing" }).min(1, "name_missing").max(LONGEST_NAME, "name_long"));
const currentPassword = z.string({ error: "password_missing" });

function newPassword(problemOf: PasswordProblem, personal: string[] = []) {
  return z.string({ error: "new_password_missing" }).superRefine((password, context) => {
    const problem = problemOf(password, personal);
    if (problem) context.addIssue({ code: "custom", message: problem });
  });
}

export const signInSchema = z.object({ email: emailField, password: currentPassword });
export const emailSchema = z.object({ email: emailField });
export const nameSchema = z.object({ name });

export const registerSchema = (problemOf: PasswordProblem) =>
  z.object({ name, email: emailField, password: newPassword(problemOf) }).superRefine((person, context) => {
    const problem = problemOf(person.password, [person.name, person.email]);
    if (problem) context.addIssue({ code: "custom", path: ["password"], message: problem });
  });

export const resetPasswordSchema = (problemOf: PasswordProblem, personal: string[]) =>
  z.object({ password: newPassword(problemOf, personal) });

export const changePasswordSchema = (problemOf: PasswordProblem, personal: string[]) =>
  z.object({ currentPassword, newPassword: newPassword(problemOf, personal) });

/** @param byPassword false after authentication by the provider */
export const changeEmailSchema = (byPassword: boolean) =>
  z.object({ email: emailField, currentPassword: byPassword ? currentPassword : z.undefined().optional() });

export const deleteAccountSchema = (byPassword: boolean) =>
  z.object({
    confirmed: z.literal("yes", { error: "not_confirmed" }),
    currentPassword: byPassword ? currentPassword : z.undefined().optional(),
  });
