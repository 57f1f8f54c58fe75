import type { AppLoadContext } from "@remix-run/node";
import { z } from "zod";
import type { SentForm } from "~/platform/forms/form-answer.server";
import type { CodeKind } from "~/accounts/throttle.server";
import type { User } from "~/accounts/user.server";

// Messages are names of problems; their texts are in `factors:formProblem.…`.
export const codeSchema = z.object({
  code: z
    .string({ error: "code_missing" })
    .trim()
    .pipe(z.string({ error: "code_missing" }).min(1, "code_missing")),
  currentPassword: z.string().optional(),
});

/** Code, or the answer of a passkey instead. */
export const factorSchema = z.object({
  code: z.string().trim().default(""),
  passkey: z.string().default(""),
  currentPassword: z.string().optional(),
});

/** Kind of a typed code: six digits, also in groups, belong to an app; any other text is a recovery code. */
export function kindOfCode(typed: string): { kind: CodeKind; code: string } {
  const digits = typed.replace(/[\s-]/g, "");
  return /^\d{6}$/.test(digits) ? { kind: "app", code: digits } : { kind: "recovery", code: typed };
}

/**
 * Checks a second factor of any kind, and uses it up.
 * @returns the answer to a form with a wrong second factor; null for a correct one
 */
export async function factorRefusal({ services }: AppLoadContext, user: User, sent: SentForm<unknown>, typed: { code: string; passkey: string }) {
  const { secondFactors, passkeys, throttle } = services;
  // No rate limit for passkeys: a signature cannot be guessed.
  if (typed.passkey !== "") return (await passkeys.accepts(user.id, typed.passkey)) ? null : sent.refuse({ code: "passkey_refused" });
  if (typed.code === "") return sent.refuse({ code: "code_missing" });
  const { kind, code } = kindOfCode(typed.code);
  const attempt = await throttle.code(kind, user.id);
  if (!attempt.granted) return sent.postpone("throttled", attempt.retryAt);
  const isRight = kind === "app" ? await secondFactors.acceptsCode(user.id, code) : await secondFactors.acceptsRecoveryCode(user, code);
  if (!isRight) return sent.refuse({ code: kind === "app" ? "code_wrong" : "recovery_code_wrong" });
  await throttle.codeAccepted(kind, user.id);
  return null;
}
