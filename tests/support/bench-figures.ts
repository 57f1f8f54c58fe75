import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { cpus, loadavg } from "node:os";
import { startCpuClock } from "./bench-cpu";
import { browserPath } from "./scanner";

/** A line of the table that a benchmark ends with. */
export interface Figure {
  what: string;
  measured: string;
  target?: string;
  /** Undefined where there is nothing to reach. */
  met?: boolean;
}

export const figure = (what: string, measured: string | number): Figure => ({ what, measured: String(measured) });

export const atLeast = (what: string, measured: number, target: number): Figure => ({
  what,
  measured: round(measured),
  target: `at least ${target}`,
  met: measured >= target,
});

export const below = (what: string, measured: number, target: number): Figure => ({
  what,
  measured: round(measured),
  target: `below ${target}`,
  met: measured < target,
});

/**
 * How many times as fast as the other one somebody is, by medians and by best times, as noise may flatter one of the two.
 * The worse counts.
 */
export function fasterBy(what: string, ms: { ours: number[]; other: number[] }, target: number): Figure {
  const medians = median(ms.other) / median(ms.ours);
  const bests = Math.min(...ms.other) / Math.min(...ms.ours);
  return {
    ...atLeast(what, Math.min(medians, bests), target),
    measured: `${round(Math.min(medians, bests))} (medians ${round(medians)}, best ${round(bests)})`,
  };
}

export const exactly = (what: string, measured: number, target: number): Figure => ({
  what,
  measured: String(measured),
  target: String(target),
  met: measured === target,
});

/** Prints the table; the process ends with 1 when a target is missed. */
export function conclude(figures: Figure[]): void {
  console.log();
  console.table(
    figures.map(({ what, measured, target = "", met }) => ({
      what,
      measured,
      target,
      verdict: met === undefined ? "" : met ? "ok" : "MISSED",
    })),
  );
  if (figures.some(({ met }) => met === false)) process.exitCode = 1;
}

/** Says what was measured, with which versions, and what else the machine was doing. */
export function introduce(what: string, conditions: Record<string, string | number> = {}): void {
  console.log(what);
  const machine = { cores: cpus().length, "load before": loadavg().map(round).join(" ") };
  for (const [name, value] of Object.entries({ ...versions(), ...machine, ...conditions }))
    console.log(`  ${name}: ${value}`);
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

/** The smallest value that this share of all does not exceed; `share` from 0 to 1. */
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

/** Median and extremes, so that the noise is seen with the figure. */
export function spread(values: number[], unit = ""): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${round(median(values))}${unit} (${round(least)} to ${round(most)}, n = ${values.length})`;
}

/** Three significant digits, and all digits before the point. */
export function round(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

export const perMinute = (pages: number, ms: number): number => (pages * 60_000) / ms;

export interface Measured<Result> {
  result: Result;
  ms: number;
  /** CPU time of this process and all that it started. */
  cpuMs: number;
  /** Time on the clock and CPU time, for people. */
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
