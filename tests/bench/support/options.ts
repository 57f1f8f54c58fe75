import { parseArgs } from "node:util";

/**
 * Smoke mode (`--smoke`): the smallest run through all steps of a benchmark, as a test that it still works. Its times mean nothing:
 * targets are printed, but only counts are judged.
 */
export const SMOKE = process.argv.includes("--smoke");

/** Size of a benchmark: the usual one, or the smallest one in smoke mode. */
export const sized = <Size>(usual: Size, smoke: Size): Size => (SMOKE ? smoke : usual);

export interface BenchOptions<Name extends string = never> {
  /** Number of measurements of every side; their order changes from round to round. */
  rounds: number;
  /** Whether the compared tools use the machine's DNS, too; otherwise outside names fail immediately. */
  systemDns: boolean;
  /** Limits the pages to names that contain one of these. */
  names: string[];
  /** Other given switches. */
  flags: Set<string>;
  /** Other options, by name. */
  values: Record<Name, string>;
}

interface Defaults<Name extends string> {
  rounds?: number;
  /** Switches besides the common ones. */
  flags?: string[];
  /** Options with a value besides the common ones. */
  values?: Record<Name, string>;
}

/** Reads the command line of a benchmark. */
export function readOptions<Name extends string = never>(defaults: Defaults<Name> = {}): BenchOptions<Name> {
  const { rounds = 1, flags = [] } = defaults;
  const others = Object.entries<string>(defaults.values ?? {});
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: String(sized(rounds, 1)) },
      "system-dns": { type: "boolean", default: false },
      smoke: { type: "boolean" },
      ...Object.fromEntries(flags.map((flag) => [flag, { type: "boolean" }] as const)),
      ...Object.fromEntries(others.map(([name, value]) => [name, { type: "string", default: value }] as const)),
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
    values: Object.fromEntries(others.map(([name]) => [name, set.get(name)])) as Record<Name, string>,
  };
}

/** Order of the sides in a round: reversed in every second round. */
export function turns<Side>(round: number, sides: Side[]): Side[] {
  return round % 2 === 0 ? sides : [...sides].reverse();
}
