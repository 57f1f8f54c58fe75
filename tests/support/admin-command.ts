import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../build/server/admin.js", import.meta.url));
/** Variables that programs need, besides the configuration. */
const INHERITED = ["PATH", "HOME", "TMPDIR", "CHROME_PATH", "PUPPETEER_CACHE_DIR"];

/** Runs a command of the operator with the built program: `npm run admin -- ARGS`. @param env the configuration */
export async function runAdmin(args: string[], env: Record<string, string>): Promise<{ status: number | null; out: string; err: string }> {
  const inherited = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: tmpdir(), env: { ...inherited, ...env } as NodeJS.ProcessEnv, stdio: ["ignore", "pipe", "pipe"] });
  const answer = { out: "", err: "" };
  child.stdout.on("data", (data: Buffer) => (answer.out += data.toString()));
  child.stderr.on("data", (data: Buffer) => (answer.err += data.toString()));
  const [status] = (await once(child, "close")) as [number | null];
  return { status, ...answer };
}

/** The same, beside the server with this data folder. */
export function adminCommand({ dataDir, origin }: { dataDir: string; origin: string }, ...args: string[]) {
  return runAdmin(args, { DATA_DIR: dataDir, BASE_URL: origin });
}
