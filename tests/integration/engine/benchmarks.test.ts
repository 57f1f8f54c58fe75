import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const BENCHMARKS = fileURLToPath(new URL("../../bench/", import.meta.url));
/** As with `npx tsx`: programs started by a benchmark in other folders find it, too. */
const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

/** Benchmarks without a smoke mode, with the reason. */
const WITHOUT_SMOKE: Record<string, string> = {
  "bad-disk.ts": "mounts disks, which only root may do",
  "lighthouse.ts": "is about a program that npm would install from the network",
};

/** Without the variables of Vitest that servers read, and without real pages. */
const ENVIRONMENT = { ...process.env, NODE_ENV: undefined, BASE_URL: undefined, CORPUS_DIR: undefined, DETECT_DIR: undefined, BEFORE: undefined } as unknown as NodeJS.ProcessEnv;

const programs = readdirSync(BENCHMARKS).filter((name) => name.endsWith(".ts"));
const withSmoke = programs.filter((name) => !(name in WITHOUT_SMOKE));

test("only existing benchmarks are excluded", () => {
  expect(programs).toEqual(expect.arrayContaining(Object.keys(WITHOUT_SMOKE)));
});

describe("the smallest run of a benchmark goes through to its figures", () => {
  test.concurrent.for(withSmoke)("%s", async (name, { expect, signal }) => {
    const { code, output } = await smokeRun(name, signal);
    expect(code, output).toBe(0);
    const figures = figuresIn(output);
    expect(figures.filter((figure) => /\d/.test(figure)).length, output).toBeGreaterThan(1);
    expect(figures.filter((figure) => figure.includes("NaN")), output).toEqual([]);
  });
});

/** Runs a benchmark in smoke mode, in a process group of its own, whose servers end with it after an aborted test. */
async function smokeRun(name: string, aborted: AbortSignal): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ["--import", TSX, BENCHMARKS + name, "--smoke"], { cwd: ROOT, env: ENVIRONMENT, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const end = () => void (child.pid !== undefined && process.kill(-child.pid, "SIGKILL"));
  aborted.addEventListener("abort", end);
  process.once("exit", end);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (output += data.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  aborted.removeEventListener("abort", end);
  process.off("exit", end);
  return { code, output };
}

/** Measured values in the printed table, whose columns are a number, what was measured, and the value. */
const figuresIn = (output: string): string[] => [...output.matchAll(/^│ \d+ +│ '.+?' +│ '(.*?)' +│ /gm)].map(([, measured = ""]) => measured);
