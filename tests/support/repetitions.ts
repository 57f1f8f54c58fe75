/**
 * Number of repetitions for tests that depend on chance: fewer in `npm test`, more in `npm run test:long`, which may take a
 * night.
 */
export function repetitions(usually: number, atLength: number): number {
  return process.env["RAMPE_TESTS"] === "long" ? atLength : usually;
}
