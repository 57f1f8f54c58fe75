import { SETTINGS } from "./env.server";

/** Prefixes of our settings; other programs hardly have them in the same environment. */
const PREFIXES = [
  ...["AUTH0_", "BACKUP_", "CONTACT_", "DISK_", "EVIDENCE_", "FREE_CHECKS_", "MAIL_", "METRICS_", "OIDC_"],
  ...["OPERATOR_", "REGISTRATION_", "RELEASES_", "RETENTION_", "SCAN_", "SMTP_", "STORAGE_", "STRIPE_", "TRIAL_"],
];
/** Minimum length of compared names: shorter names are similar to too many others. */
const LEAST_LENGTH = 6;

/**
 * Warnings about unknown variables that look like settings: a typing mistake would have no effect and no message.
 * @param source all environment variables
 */
export function unknownSettings(source: Record<string, string | undefined>): string[] {
  const known = SETTINGS.map(({ name }) => name);
  return Object.keys(source)
    .filter((name) => source[name] && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, known);
      if (meant === null && !PREFIXES.some((prefix) => name.startsWith(prefix))) return [];
      return [`${name} is set, but there is no such setting${meant === null ? "" : `: do you mean ${meant}?`}`];
    });
}

function nearest(name: string, known: string[]): string | null {
  const distances = known.filter((each) => each.length >= LEAST_LENGTH).map((each) => ({ each, distance: distanceBetween(name.toUpperCase(), each) }));
  const [best] = distances.sort((one, other) => one.distance - other.distance);
  return best && best.distance <= (best.each.length < 8 ? 1 : 2) ? best.each : null;
}

/** Edit distance: characters added, missing, replaced or swapped with a neighbour (optimal string alignment). */
function distanceBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= other.length; column += 1) {
      const cost = one[row - 1] === other[column - 1] ? 0 : 1;
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const swapped = isSwapped ? at(row - 2, column - 2) + 1 : Infinity;
      current.push(Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + cost, swapped));
    }
  }
  return at(one.length, other.length);
}
