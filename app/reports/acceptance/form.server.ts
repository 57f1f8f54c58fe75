import { z } from "zod";
import { ACCEPTANCE_KINDS, ACCEPTANCE_SCOPES, type AcceptanceScope } from "~/findings/acceptance/acceptance";
import { cleanText, dayTyped, fits } from "~/platform/forms/typed-text";

const LONGEST_REASON = 1_000;
/** An assessment of a disproportionate burden holds no longer than that (Directive (EU) 2019/882, article 14 (5)). */
const MOST_YEARS = 5;

/**
 * The form that accepts a finding; messages are the names of problems (`acceptance:problem.…`).
 * @param today such as `2026-11-26`
 * @param scopes what may be accepted at this place
 */
export function acceptanceSchema(today: string, scopes: readonly AcceptanceScope[]) {
  const lastOfAll = `${Number(today.slice(0, 4)) + MOST_YEARS}${today.slice(4)}`;
  return z
    .object({
      what: z.enum(ACCEPTANCE_SCOPES, { error: "what_missing" }).refine((what) => scopes.includes(what), "what_missing"),
      kind: z.enum(ACCEPTANCE_KINDS, { error: "kind_missing" }),
      last_day: z
        .string()
        .transform(dayTyped)
        .pipe(z.iso.date("day_unknown").refine((day) => day >= today, "day_past").refine((day) => day <= lastOfAll, "day_far"))
        .optional(),
      reason: z.string({ error: "reason_missing" }).transform(cleanText).pipe(z.string().min(1, "reason_missing").refine(fits(LONGEST_REASON), "reason_long")),
    })
    .superRefine(({ kind, last_day: day }, context) => {
      if (kind !== "not_a_barrier" && day === undefined) context.addIssue({ code: "custom", path: ["last_day"], message: "day_missing" });
    });
}
