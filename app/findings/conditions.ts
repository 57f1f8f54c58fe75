import { CONDITIONS } from "~/scan/types";

/** Conditions that a report tells apart; the usual one comes first. */
export const REPORTED_CONDITIONS = ["desktop", ...CONDITIONS] as const;
export type ReportedCondition = (typeof REPORTED_CONDITIONS)[number];
