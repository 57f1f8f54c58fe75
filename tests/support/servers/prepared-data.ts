const VARIABLE = "RAMPE_TEST_PREPARED_DATA";

/**
 * Data folder of a server that was started and stopped once: with a secret, a migrated database, and a cashier with a
 * catalogue. A start on a copy of it takes half the time of a first start.
 * @returns undefined if no global set-up has prepared it, for example in benchmarks
 */
export const preparedData = (): string | undefined => process.env[VARIABLE];

/** Stores the folder in the environment, which workers inherit. */
export function rememberPrepared(folder: string): void {
  process.env[VARIABLE] = folder;
}
