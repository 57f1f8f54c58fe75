import { parseArgs } from "node:util";

export interface BenchOptions {
  /** Every side is measured so often; their order changes from round to round. */
  rounds: number;
  /** Peers ask the machine's name service, too, instead of being told at once that outside names do not exist. */
  systemDns: boolean;
  /** Limits the pages to those whose name contains one of these. */
  names: string[];
  /** Further switches that are set. */
  flags: Set<string>;
}

/** Reads the command line of a benchmark; `flags` are the switches that it has besides those that all have. */
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

/** The sides in the order of this round: whoever came first comes last in the next one. */
export function turns<Side>(round: number, sides: Side[]): Side[] {
  return round % 2 === 0 ? sides : [...sides].reverse();
}
