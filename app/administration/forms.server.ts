import { z } from "zod";
import { emailSchema } from "~/accounts/forms.server";
import { PLAN_KEYS } from "~/billing/plans/plans";
import { dayTyped } from "~/platform/forms/typed-text";
import { DEFAULT_LOCALE, LOCALES } from "~/platform/i18n/i18n";

export const invitationSchema = emailSchema.extend({ locale: z.enum(LOCALES).catch(DEFAULT_LOCALE) });

export const deletePersonSchema = z.object({ confirmed: z.literal("yes", { error: "not_confirmed" }) });

const MOST = 100_000;

const limitField = z
  .string()
  // An empty field counts as missing.
  .default("")
  .transform((typed) => (typed.trim() === "" ? null : /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : NaN))
  .refine((limit) => limit === null || (limit >= 1 && limit <= MOST), "limit");

/** Limits of an account; empty: the limit of the installation. */
export const limitsSchema = z.object({ waiting: limitField, pages: limitField });

/** @param today such as `2026-11-26` */
export const grantSchema = (today: string) =>
  z.object({
    plan: z.enum(PLAN_KEYS, "plan"),
    until: z
      .string({ error: "until" })
      .transform(dayTyped)
      .pipe(z.iso.date("until").refine((day) => day >= today, "until_past")),
  });
