/** Reasons for a pause that end with the next plan that includes the schedule. */
export const PLAN_PAUSES = ["not_covered", "level"] as const;
export type PlanPause = (typeof PLAN_PAUSES)[number];

export const isPlanPause = (paused: string | null): paused is PlanPause => (PLAN_PAUSES as readonly (string | null)[]).includes(paused);

/** Id of the heading in place of the form, if a plan does not include the schedule. */
export const PLAN_STEP = "plan-step";
