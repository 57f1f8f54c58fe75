import type { TFunction } from "i18next";

const EXPLAINED = [404, 405, 422, 429, 500] as const;
/** The statuses that have an error page of their own. */
export type ExplainedStatus = (typeof EXPLAINED)[number];

/** The nearest status that has an error page of its own. */
export function explainedStatus(status: number): ExplainedStatus {
  const exact = EXPLAINED.find((known) => known === status);
  if (exact) return exact;
  if (status >= 500) return 500;
  return status === 400 ? 422 : 404;
}

export function errorTitles(t: TFunction<"common">): Record<ExplainedStatus, string> {
  return Object.fromEntries(EXPLAINED.map((status) => [status, t(`errors.${status}.title`)])) as Record<
    ExplainedStatus,
    string
  >;
}
