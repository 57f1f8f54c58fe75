import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../build/server/admin.js", import.meta.url));

/** Runs a command of the operator, beside the server with this data folder. */
export function adminCommand({ dataDir, origin }: { dataDir: string; origin: string }, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env: Record<string, string | undefined> = { PATH: process.env.PATH, DATA_DIR: dataDir, BASE_URL: origin };
  return new Promise((resolve) => {
    // Outside of the clone, which may contain a developer's `.env`.
    execFile(process.execPath, [PROGRAM, ...args], { cwd: tmpdir(), env: env as NodeJS.ProcessEnv }, (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }));
  });
}
