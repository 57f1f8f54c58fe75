/** Reasons to refuse a sign-in after authentication, by password or at a provider. */
const REFUSALS = ["disabled", "invite", "closed", "other_address"] as const;
export type SignInRefusal = (typeof REFUSALS)[number];

/** Reasons for a failed callback from the hosted sign-in; each has a text (`account:hosted.problem.…`). */
export const HOSTED_PROBLEMS = ["denied", "expired", "rejected", "unavailable", "email", "unconfirmed", ...REFUSALS] as const;
export type HostedProblem = (typeof HOSTED_PROBLEMS)[number];

/** Reasons on the page of the local sign-in. */
export type LocalProblem = SignInRefusal | "expired";

export function isHostedProblem(value: unknown): value is HostedProblem {
  return HOSTED_PROBLEMS.includes(value as HostedProblem);
}

export function isRefusal(value: unknown): value is SignInRefusal {
  return REFUSALS.includes(value as SignInRefusal);
}

export function isLocalProblem(value: unknown): value is LocalProblem {
  return value === "expired" || isRefusal(value);
}
