/**
 * How often something is tried whose outcome chance decides: less often in `npm test`, more often in `npm run test:long`, which
 * may take a night.
 */
export function howOften(usually: number, atLength: number): number {
  return process.env["RAMPE_TESTS"] === "long" ? atLength : usually;
}
