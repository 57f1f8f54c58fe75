/** Seed for the selection of hostile pages. A failed run prints it, so that the run can be repeated. */
export const HOSTILE_SEED = Number(process.env["HOSTILE_SEED"] ?? Date.now() % 1_000_000);
