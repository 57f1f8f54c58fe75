/** Why coming back from the hosted sign-in failed; each has a sentence (`account:hosted.problem.…`). */
export const HOSTED_PROBLEMS = ["denied", "expired", "rejected", "unavailable", "email"] as const;
export type HostedProblem = (typeof HOSTED_PROBLEMS)[number];

export function isHostedProblem(value: unknown): value is HostedProblem {
  return HOSTED_PROBLEMS.includes(value as HostedProblem);
}
