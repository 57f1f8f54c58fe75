/** Reasons for a failed callback from the hosted sign-in; each has a text (`account:hosted.problem.…`). */
export const HOSTED_PROBLEMS = ["denied", "expired", "rejected", "unavailable", "email", "unconfirmed"] as const;
export type HostedProblem = (typeof HOSTED_PROBLEMS)[number];

export function isHostedProblem(value: unknown): value is HostedProblem {
  return HOSTED_PROBLEMS.includes(value as HostedProblem);
}
