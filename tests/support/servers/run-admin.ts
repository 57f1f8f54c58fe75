import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { settingsOf } from "../database/server-database";

const BUILD = fileURLToPath(new URL("../../../build/server", import.meta.url));
/** Variables that programs need, besides the configuration. */
const INHERITED = ["PATH", "HOME", "TMPDIR", "CHROME_PATH", "PUPPETEER_CACHE_DIR"];

export interface AdminOptions {
  /** Another user of this machine, if the tests run as root. */
  uid?: number;
  /** Another program of the build. */
  program?: string;
}

/** Runs an operator's command with the built program: `npm run admin -- ARGS`. @param env the configuration */
export async function runAdmin(args: string[], env: Record<string, string>, { uid, program = "admin.js" }: AdminOptions = {}): Promise<{ status: number | null; out: string; err: string }> {
  const inherited = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
  const child = spawn(process.execPath, [path.join(BUILD, program), ...args], {
    cwd: tmpdir(),
    env: { ...inherited, ...env } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
    ...(uid !== undefined && process.getuid?.() === 0 && { uid, gid: uid }),
  });
  const answer = { out: "", err: "" };
  child.stdout.on("data", (data: Buffer) => (answer.out += data.toString()));
  child.stderr.on("data", (data: Buffer) => (answer.err += data.toString()));
  const [status] = (await once(child, "close")) as [number | null];
  return { status, ...answer };
}

/** Runs an operator's command while the server with this data folder runs. */
export function adminCommand({ dataDir, origin }: { dataDir: string; origin: string }, ...args: string[]) {
  return runAdmin(args, { ...settingsOf({ dataDir }), BASE_URL: origin });
}
