const VARIABLE = "RAMPE_TEST_PREPARED_DATA";

/**
 * Data folder of a server that has been started and stopped once: with a secret, a migrated database, and a cashier whose catalogue
 * is known. The start of a server on a copy of it costs half of a first start.
 * @returns undefined if no global set-up has prepared it, as for benchmarks
 */
export const preparedData = (): string | undefined => process.env[VARIABLE];

/** Workers inherit it. */
export function rememberPrepared(folder: string): void {
  process.env[VARIABLE] = folder;
}
