import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { sized } from "./options";

/** A measurement of a program by `monitor.mjs`, once a second (in smoke mode more often). */
export interface Sample {
  /** Unix time in ms. */
  at: number;
  pid: number;
  /** Delay of the event loop: maximum and 99th percentile. */
  delayMaxMs: number;
  delayP99Ms: number;
  /** Whether it was measured immediately after a garbage collection. */
  collected: boolean;
  /** Memory in bytes. */
  rss: number;
  heapUsed: number;
}

/** Period in which the event loop was blocked, with the functions that took most of it. */
interface Stretch {
  ms: number;
  where: string[];
}

export interface Watch {
  /** Environment variables for the watched program. */
  readonly env: Record<string, string>;
  samples(): Sample[];
  /** Takes a CPU profile during `work`. @returns its result and the longest blocked periods */
  profile<Result>(work: () => Promise<Result>): Promise<{ result: Result; stretches: Stretch[] }>;
  close(): void;
}

const MONITOR = fileURLToPath(new URL("monitor.mjs", import.meta.url));

/** @param collectEvery seconds between forced garbage collections; 0: only the program's own */
export function watchProgram({ collectEvery = 0 } = {}): Watch {
  const folder = mkdtempSync(join(tmpdir(), "rampe-bench-"));
  const file = join(folder, "samples");
  const samples = () =>
    existsSync(file)
      ? readFileSync(file, "utf8")
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Sample)
      : [];

  return {
    env: {
      NODE_OPTIONS: `--import=${pathToFileURL(MONITOR).href}`,
      BENCH_MONITOR: file,
      BENCH_COLLECT: String(collectEvery),
      BENCH_INTERVAL: String(sized(1_000, 100)),
    },
    samples,
    async profile(work) {
      const pid = samples().at(-1)?.pid;
      if (!pid) throw new Error("the program has said nothing yet");
      process.kill(pid, "SIGUSR2");
      const result = await work();
      process.kill(pid, "SIGUSR2");
      const profile = `${file}.cpuprofile`;
      for (let wait = 0; !existsSync(profile) && wait < 100; wait += 1) await delay(100);
      // The file exists before it is written completely.
      await delay(500);
      return { result, stretches: stretchesOf(JSON.parse(readFileSync(profile, "utf8")) as Profile) };
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

/** Profile in Chromium's format (`Profiler.Profile`); times in microseconds. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
}

const MOST_STRETCHES = 8;
const MOST_NAMES = 5;

function stretchesOf({ nodes, samples, timeDeltas }: Profile): Stretch[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const nameOf = (id: number) => byId.get(id)?.callFrame.functionName ?? "";
  const stretches: { us: number; spent: Map<string, number> }[] = [];
  let current: (typeof stretches)[number] | undefined;

  samples.forEach((id, index) => {
    if (["(idle)", "(program)", "(root)"].includes(nameOf(id))) {
      current = undefined;
      return;
    }
    if (!current) stretches.push((current = { us: 0, spent: new Map() }));
    const us = timeDeltas[index + 1] ?? 0;
    current.us += us;
    for (const place of placesOf(id)) current.spent.set(place, (current.spent.get(place) ?? 0) + us);
  });

  /** Functions that the time belongs to: the function itself and all its callers, each once. */
  function placesOf(id: number): Set<string> {
    const places = new Set<string>();
    for (let each: number | undefined = id; each !== undefined; each = parents.get(each)) {
      const frame = byId.get(each)?.callFrame;
      if (!frame || frame.functionName === "(root)") continue;
      const file = frame.url.replace(/^.*\/(?=[^/]*\/[^/]*$)/, "");
      places.add(`${frame.functionName || "(anonymous)"} ${file && `${file}:${frame.lineNumber + 1}`}`.trim());
    }
    return places;
  }

  return stretches
    .sort((one, other) => other.us - one.us)
    .slice(0, MOST_STRETCHES)
    .map(({ us, spent }) => ({
      ms: us / 1_000,
      where: [...spent]
        .filter(([place]) => !place.includes("node:"))
        .sort(([, one], [, other]) => other - one)
        .slice(0, MOST_NAMES)
        .map(([place, part]) => `${place} ${Math.round((part * 100) / us)} %`),
    }));
}
