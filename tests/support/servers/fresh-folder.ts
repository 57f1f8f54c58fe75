import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A new folder, which is deleted when the running test is over. */
export function freshFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
