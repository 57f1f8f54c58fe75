import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Db } from "db/schema";
import { postgresUrl } from "../database/postgres";
import { minutes } from "../patience";
import { preparedData } from "./prepared-data";
import { databaseOf, ensureDatabase, settingsOf } from "../database/server-database";

const PROGRAM = fileURLToPath(new URL("../../../build/server/serve.js", import.meta.url));
const QUICK_HASHES = ["--import", new URL("quick-hashes.mjs", import.meta.url).href];
const MOVED_CLOCK = ["--import", new URL("moved-clock.mjs", import.meta.url).href];
const START_WITHIN_MS = minutes(1);
const LOG_WITHIN_MS = 30_000;

/** Stand-in for the browser: its start and the first analysis of the sample take as much processor time as the server's start. */
const NO_BROWSER = { CHROME_PATH: fileURLToPath(new URL("no-browser.sh", import.meta.url)) };

/** Tests register users, and let them scan without confirming their address. */
const OPEN_REGISTRATION = { REGISTRATION: "open" };

/** Longer time limit: on a busy machine, a check takes long beside the other tests. */
const PATIENCE = { SCAN_PAGE_SECONDS: "90" };

/** Variables that a program needs to run and to find its browser. The configuration comes only from the test. */
const INHERITED = [
  ...["PATH", "HOME", "USERPROFILE", "LOCALAPPDATA", "ProgramFiles", "ProgramFiles(x86)", "SystemRoot"],
  ...["TMPDIR", "TEMP", "CHROME_PATH", "PUPPETEER_CACHE_DIR"],
];

export interface ServerOptions {
  /** Variables of the configuration. */
  env?: Record<string, string>;
  /** Existing folder that stays after the server; by default, a temporary folder (`prepared-data.ts`). */
  dataDir?: string;
  /** False for tests without page checks: the server then has no browser, and reports it in its log and in `/healthz`. */
  browser?: boolean;
  /** Built program of another copy of the product. */
  program?: string;
  /** File with the difference of its clock from the real one in milliseconds; it may change meanwhile. */
  clockFile?: string;
  /** Real cost of password hashes, for benchmarks. */
  realHashes?: boolean;
}

/** Line of the log. */
type LogLine = Record<string, unknown> & { msg: string };

export interface TestServer {
  /** Origin such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly dataDir: string;
  readonly pid: number | undefined;
  /** Its log so far. */
  log(): LogLine[];
  /** Its output so far, without the log. */
  said(): string[];
  /** Waits for a line of the log. @throws if none appears within 30 s */
  logged(wanted: (line: LogLine) => boolean): Promise<LogLine>;
  /** False after its end. */
  isRunning(): boolean;
  /** Connection to its database: tests read and store what would take users too long. `stop` closes it. */
  database(): Promise<Db>;
  /** Stops it (SIGTERM) and waits for its end. @returns its exit code and the time it took, in ms */
  stop(): Promise<{ code: number | null; ms: number }>;
  /** Kills it (SIGKILL) and waits for its end. */
  kill(): Promise<void>;
}

/**
 * Starts the built server on a free port and waits until it reports that it is ready.
 * @throws {Error} with its output, if it ends instead
 */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? newFolder(options);
  await ensureDatabase({ dataDir });
  const clock: Record<string, string> = options.clockFile === undefined ? {} : { CLOCK_FILE: options.clockFile };
  const child = run(
    { ...PATIENCE, ...OPEN_REGISTRATION, ...(options.browser === false && NO_BROWSER), ...options.env, ...clock, ...settingsOf({ dataDir }) },
    { program: options.program, flags: [...(options.realHashes ? [] : QUICK_HASHES), ...(options.clockFile === undefined ? [] : MOVED_CLOCK)] },
  );
  const ended = once(child, "close") as Promise<[number | null]>;
  const errors = collect(child.stderr);
  const lines: string[] = [];
  const origin = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(line);
      const [, address] = /^Rampe is ready at (http:\S+)$/.exec(line) ?? [];
      if (address) resolve(address);
    });
    const failed = (what: string) => reject(new Error(`The server ${what}: ${errors()}${lines.join("\n")}`));
    void ended.then(([code]) => failed(`ended with ${code}`));
    setTimeout(() => failed("did not start in time"), START_WITHIN_MS).unref();
  });

  let database: Promise<Db> | undefined;
  const closed = async () => {
    await (await database)?.destroy();
    database = undefined;
  };
  const log = () => lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as LogLine);
  return {
    origin,
    dataDir,
    pid: child.pid,
    log,
    said: () => lines.filter((line) => !line.startsWith("{")),
    async logged(wanted) {
      for (const end = Date.now() + LOG_WITHIN_MS; Date.now() < end; await delay(20)) {
        const line = log().find(wanted);
        if (line) return line;
      }
      throw new Error(`Nothing like it in the log, which ends with\n${lines.slice(-20).join("\n")}`);
    },
    isRunning: () => child.exitCode === null && child.signalCode === null,
    database: () => (database ??= databaseOf({ dataDir })),
    async stop() {
      await closed();
      const asked = performance.now();
      child.kill("SIGTERM");
      const [code] = await ended;
      if (!options.dataDir) rmSync(dataDir, { recursive: true });
      return { code, ms: performance.now() - asked };
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
      await closed();
    },
  };
}

/** New data folder. A server with its own secret or clock cannot use the prepared data. */
function newFolder({ env, clockFile }: ServerOptions): string {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-server-"));
  const prepared = env?.SESSION_SECRET === undefined && clockFile === undefined && !postgresUrl() ? preparedData() : undefined;
  if (prepared) cpSync(prepared, folder, { recursive: true });
  return folder;
}

/** Starts a server that must exit by itself, for example because of an invalid configuration. */
export async function runServer(
  env: Record<string, string>,
  cwd?: string,
): Promise<{ code: number | null; out: string; err: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-server-"));
  const child = run({ DATA_DIR: path.join(folder, "data"), ...env }, { cwd });
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  const tooLong = setTimeout(() => child.kill(), START_WITHIN_MS);
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return { code, out: out(), err: err() };
  } finally {
    clearTimeout(tooLong);
    rmSync(folder, { recursive: true });
  }
}

// By default outside of the clone, which may contain a developer's `.env`.
interface Start {
  cwd?: string;
  flags?: string[];
  program?: string;
}

function run(configuration: Record<string, string>, { cwd = tmpdir(), flags = [], program = PROGRAM }: Start) {
  const inherited = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
  const env: Record<string, string | undefined> = { ...inherited, PORT: "0", ...configuration };
  const child = spawn(process.execPath, [...flags, program], {
    cwd,
    env: env as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  endTogether(child);
  return child;
}

/** Kills the server if the test run is aborted. */
function endTogether(child: ChildProcess): void {
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("close", () => process.off("exit", kill));
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = "";
  stream.on("data", (data: Buffer) => (text += data.toString()));
  return () => text;
}
