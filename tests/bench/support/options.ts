import { parseArgs } from "node:util";

export interface BenchOptions {
  /** Number of measurements of every side; their order changes from round to round. */
  rounds: number;
  /** Whether the compared tools use the machine's DNS, too; otherwise outside names fail immediately. */
  systemDns: boolean;
  /** Limits the pages to names that contain one of these. */
  names: string[];
  /** Other given switches. */
  flags: Set<string>;
}

/** Reads the command line of a benchmark; `flags` are its switches besides the common ones. */
export function readOptions({ rounds, flags = [] }: { rounds: number; flags?: string[] }): BenchOptions {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: String(rounds) },
      "system-dns": { type: "boolean", default: false },
      ...Object.fromEntries(flags.map((flag) => [flag, { type: "boolean" }] as const)),
    },
  });
  const count = Number(values.rounds);
  if (!Number.isInteger(count) || count < 1) throw new Error("--rounds wants a number from 1");
  const set = new Map<string, unknown>(Object.entries(values));
  return {
    rounds: count,
    systemDns: values["system-dns"],
    names: positionals,
    flags: new Set(flags.filter((flag) => set.get(flag) === true)),
  };
}

/** Order of the sides in a round: reversed in every second round. */
export function turns<Side>(round: number, sides: Side[]): Side[] {
  return round % 2 === 0 ? sides : [...sides].reverse();
}
