import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const program = fileURLToPath(new URL("../../build/server/serve.js", import.meta.url));

export interface ServerProcess {
  origin: string;
  /** Kills it at once (SIGKILL), and waits for its exit. */
  kill(): Promise<void>;
  /** Stops it cleanly (SIGTERM), and waits for its exit. */
  stop(): Promise<void>;
}

/** Starts the built server with its data in `folder`, and resolves when it reports that it is ready. */
export async function startServer(
  folder: string,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  if (!existsSync(program)) throw new Error("these tests need the built server: npm run build makes it");
  const child = spawn(process.execPath, [program], {
    // Not the developer's .env file.
    cwd: folder,
    env: {
      NODE_ENV: "production",
      ...machine(),
      PORT: "0",
      DATA_DIR: path.resolve(folder),
      LOG_LEVEL: "silent",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const gone = once(child, "exit");
  const end = (signal: NodeJS.Signals) => async () => {
    child.kill(signal);
    await gone;
  };
  const [kill, stop] = [end("SIGKILL"), end("SIGTERM")];
  onTestFinished(kill);
  return { origin: await readyAt(child), kill, stop };
}

/** Variables to find programs and the browser; others, such as Vitest's, would configure the server. */
function machine(): Record<string, string> {
  const names = ["PATH", "HOME", "CHROME_PATH", "PUPPETEER_CACHE_DIR"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

function readyAt(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const read = (chunk: Buffer) => {
      said += chunk.toString();
      const origin = /ready at (\S+)/.exec(said)?.[1];
      if (origin) resolve(origin);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", () => reject(new Error(`The server did not start: ${said}`)));
  });
}
