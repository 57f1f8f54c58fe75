import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** New folder, deleted after the running test. */
export function freshFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
