import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Folder for data, deleted at the end of the benchmark. */
export function freshBenchFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
