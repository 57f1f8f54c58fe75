import { z } from "zod";
import { ACCEPTANCE_KINDS, ACCEPTANCE_SCOPES, type AcceptanceScope } from "~/findings/acceptance/acceptance";
import { cleanText, dayTyped, fits } from "~/platform/forms/typed-text";

const LONGEST_REASON = 1_000;
/** Maximum validity: an assessment of a disproportionate burden is valid for five years (Directive (EU) 2019/882, article 14 (5)). */
const MOST_YEARS = 5;

type Problems<Name extends string> = Record<Name, string> | string;

const named = <Name extends string>(problems: Problems<Name>, name: Name): string => (typeof problems === "string" ? problems : problems[name]);

/** Last day of an acceptance. @param today such as `2026-11-26` @param problems names of problems, by kind or one for all */
export function lastDayField(today: string, problems: Problems<"unknown" | "past" | "far">) {
  const lastOfAll = `${Number(today.slice(0, 4)) + MOST_YEARS}${today.slice(4)}`;
  return z.iso
    .date(named(problems, "unknown"))
    .refine((day) => day >= today, named(problems, "past"))
    .refine((day) => day <= lastOfAll, named(problems, "far"));
}

/** Reason of an acceptance. */
export const reasonField = (problems: Problems<"missing" | "long">) =>
  z.string({ error: named(problems, "missing") }).transform(cleanText).pipe(z.string().min(1, named(problems, "missing")).refine(fits(LONGEST_REASON), named(problems, "long")));

/**
 * Form that accepts a finding; messages are the names of problems (`acceptance:problem.…`).
 * @param today such as `2026-11-26`
 * @param scopes possible scopes at this place
 */
export function acceptanceSchema(today: string, scopes: readonly AcceptanceScope[]) {
  return z
    .object({
      what: z.enum(ACCEPTANCE_SCOPES, { error: "what_missing" }).refine((what) => scopes.includes(what), "what_missing"),
      kind: z.enum(ACCEPTANCE_KINDS, { error: "kind_missing" }),
      last_day: z.string().transform(dayTyped).pipe(lastDayField(today, { unknown: "day_unknown", past: "day_past", far: "day_far" })).optional(),
      reason: reasonField({ missing: "reason_missing", long: "reason_long" }),
    })
    .superRefine(({ kind, last_day: day }, context) => {
      if (kind !== "not_a_barrier" && day === undefined) context.addIssue({ code: "custom", path: ["last_day"], message: "day_missing" });
    });
}
