import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A folder for data that is deleted when the benchmark ends. */
export function freshBenchFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
