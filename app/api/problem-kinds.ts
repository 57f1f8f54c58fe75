/**
 * Problems that the API can report, with their HTTP status. `tokens:problem.…` has the texts; the names are part of the
 * public interface.
 */
export const PROBLEMS = {
  "bad-request": 400,
  "invalid-json": 400,
  unauthorized: 401,
  "nothing-bought": 402,
  "trial-used": 402,
  "site-is-paid": 402,
  "report-locked": 402,
  "not-entitled": 403,
  "insufficient-scope": 403,
  "level-not-included": 403,
  "address-not-confirmed": 403,
  "not-found": 404,
  "method-not-allowed": 405,
  "no-room": 409,
  "run-is-over": 409,
  "run-not-over": 409,
  "request-under-way": 409,
  "length-required": 411,
  "too-large": 413,
  "unsupported-media-type": 415,
  invalid: 422,
  "key-reused": 422,
  "rate-limited": 429,
  "too-many-waiting": 429,
  internal: 500,
  "no-disk-space": 503,
  "not-writable": 503,
  busy: 503,
} as const;

export type ProblemKind = keyof typeof PROBLEMS;

export const PROBLEM_KINDS = Object.keys(PROBLEMS) as ProblemKind[];

/** Path of a problem in the documentation; this path is the problem's `type` (RFC 9457). */
export const problemType = (kind: ProblemKind): string => `/api#${kind}`;
