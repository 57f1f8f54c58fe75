/** Of the hostile pages that a run draws. A run can be repeated with the seed that a failed one has printed. */
export const HOSTILE_SEED = Number(process.env["HOSTILE_SEED"] ?? Date.now() % 1_000_000);
