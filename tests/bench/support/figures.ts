import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { startCpuClock } from "./cpu-clock";
import { SMOKE } from "./options";
import { browserPath } from "../../support/scan/scanner";

/** Line in the result table of a benchmark. */
export interface Figure {
  what: string;
  measured: string;
  target?: string;
  /** Undefined without a target. */
  met?: boolean;
  /** Whether it is a count, which is also right in the smallest run. */
  exact?: true;
}

export const figure = (what: string, measured: string | number): Figure => ({ what, measured: String(measured) });

export const atLeast = (what: string, measured: number, target: number): Figure => ({
  what,
  measured: round(measured),
  target: `at least ${target}`,
  met: measured >= target,
});

export const atMost = (what: string, measured: number, target: number): Figure => ({
  what,
  measured: round(measured),
  target: `at most ${target}`,
  met: measured <= target,
});

export const below = (what: string, measured: number, target: number): Figure => ({
  what,
  measured: round(measured),
  target: `below ${target}`,
  met: measured < target,
});

/**
 * Speed-up of ours over the other, by medians and by best times, because noise may improve one of the two. The worse
 * counts.
 */
export function fasterBy(what: string, ms: { ours: number[]; other: number[] }, target: number): Figure {
  const medians = median(ms.other) / median(ms.ours);
  const bests = Math.min(...ms.other) / Math.min(...ms.ours);
  return {
    ...atLeast(what, Math.min(medians, bests), target),
    measured: `${round(Math.min(medians, bests))} (medians ${round(medians)}, best ${round(bests)})`,
  };
}

export const exactly = <Value extends number | string>(what: string, measured: Value, target: Value): Figure => ({
  what,
  measured: String(measured),
  target: String(target),
  met: measured === target,
  exact: true,
});

/** Prints the table; exit status 1 if a target is missed. */
export function conclude(figures: Figure[], to = console): void {
  const isJudged = ({ met, exact }: Figure) => met !== undefined && (!SMOKE || exact);
  const verdict = (each: Figure) => (isJudged(each) ? (each.met ? "ok" : "MISSED") : each.met === undefined ? "" : "not judged");
  to.log();
  to.table(figures.map((each) => ({ what: each.what, measured: each.measured, target: each.target ?? "", verdict: verdict(each) })));
  if (figures.some((each) => isJudged(each) && !each.met)) process.exitCode = 1;
}

/** Prints the subject of the benchmark, the date, the commit, the versions, and the machine with its load. */
export function introduce(what: string, conditions: Record<string, string | number> = {}, to = console): void {
  to.log(what);
  const [processor] = cpus();
  const machine = { machine: `${processor?.model.trim() ?? "unknown"}, ${cpus().length} cores`, "load before": loadavg().map(round).join(" ") };
  for (const [name, value] of Object.entries({ date: new Date().toISOString().slice(0, 10), commit: commit(), ...versions(), ...machine, ...conditions }))
    to.log(`  ${name}: ${value}`);
}

/** @returns "unknown" without Git or its folder */
function commit(): string {
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "unknown";
  }
}

function versions(): Record<string, string> {
  const require = createRequire(import.meta.url);
  const versionOf = (name: string) => (require(`${name}/package.json`) as { version: string }).version;
  return {
    node: process.versions.node,
    chromium: execFileSync(browserPath(), ["--version"], { encoding: "utf8" }).trim(),
    "axe-core": versionOf("axe-core"),
    puppeteer: versionOf("puppeteer"),
  };
}

/** Smallest value with this share of all values at or below it; `share` from 0 to 1. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}

export const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** Median and extremes, which show the noise. */
export function spread(values: number[], unit = ""): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${round(median(values))}${unit} (${round(least)} to ${round(most)}, n = ${values.length})`;
}

/** Number with three significant digits, and all digits before the decimal point. */
export function round(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

export const perMinute = (pages: number, ms: number): number => (pages * 60_000) / ms;

export interface Measured<Result> {
  result: Result;
  ms: number;
  /** CPU time of this process and its child processes. */
  cpuMs: number;
  /** Wall-clock time and CPU time, as text. */
  said: string;
}

export async function measure<Result>(work: () => Promise<Result>): Promise<Measured<Result>> {
  const cpu = startCpuClock();
  const began = performance.now();
  const result = await work();
  const ms = performance.now() - began;
  const cpuMs = cpu();
  return { result, ms, cpuMs, said: `${round(ms / 1_000)} s (${round(cpuMs / 1_000)} s of CPU time)` };
}
