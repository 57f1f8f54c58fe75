import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../build/server/serve.js", import.meta.url));
const START_WITHIN_MS = 120_000;
const LOG_WITHIN_MS = 30_000;

/** Variables that a program needs to run and to find its browser. The configuration comes only from the test. */
const INHERITED = [
  ...["PATH", "HOME", "USERPROFILE", "LOCALAPPDATA", "ProgramFiles", "ProgramFiles(x86)", "SystemRoot"],
  ...["TMPDIR", "TEMP", "CHROME_PATH", "PUPPETEER_CACHE_DIR"],
];

export interface ServerOptions {
  /** Variables of the configuration. */
  env?: Record<string, string>;
  /** An existing folder that stays after the server; without it, the server gets a temporary one. */
  dataDir?: string;
}

/** A line of the log. */
type LogLine = Record<string, unknown> & { msg: string };

export interface TestServer {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly dataDir: string;
  /** Its log so far. */
  log(): LogLine[];
  /** Waits for a line of the log. @throws if none appears within 30 s */
  logged(wanted: (line: LogLine) => boolean): Promise<LogLine>;
  /** Stops it (SIGTERM) and waits for its end. @returns its exit code and the time it took, in ms */
  stop(): Promise<{ code: number | null; ms: number }>;
}

/**
 * Starts the built server on a free port and waits until it reports that it is ready.
 * @throws {Error} with its output, if it ends instead
 */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? mkdtempSync(path.join(tmpdir(), "rampe-server-"));
  const child = run({ ...options.env, DATA_DIR: dataDir });
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

  const log = () => lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as LogLine);
  return {
    origin,
    dataDir,
    log,
    async logged(wanted) {
      for (const end = Date.now() + LOG_WITHIN_MS; Date.now() < end; await delay(20)) {
        const line = log().find(wanted);
        if (line) return line;
      }
      throw new Error(`Nothing like it in the log, which ends with\n${lines.slice(-20).join("\n")}`);
    },
    async stop() {
      const asked = performance.now();
      child.kill("SIGTERM");
      const [code] = await ended;
      if (!options.dataDir) rmSync(dataDir, { recursive: true });
      return { code, ms: performance.now() - asked };
    },
  };
}

/** Starts a server that must end by itself, for example because of an invalid configuration. */
export async function runServer(
  env: Record<string, string>,
  cwd?: string,
): Promise<{ code: number | null; out: string; err: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-server-"));
  const child = run({ DATA_DIR: path.join(folder, "data"), ...env }, cwd);
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
function run(configuration: Record<string, string>, cwd = tmpdir()) {
  const inherited = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
  const env: Record<string, string | undefined> = { ...inherited, PORT: "0", ...configuration };
  const child = spawn(process.execPath, [PROGRAM], {
    cwd,
    env: env as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  endTogether(child);
  return child;
}

/** Kills the server when the test run is aborted. */
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
