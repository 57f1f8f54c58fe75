import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

const BLOCK = 4_096;

export interface MadeUpDisk {
  freeBytes: number;
  totalBytes: number;
}

/** Puts every folder on this disk, for one test. @param disk may change meanwhile */
export function madeUpDisk(disk: MadeUpDisk): void {
  const { statfs } = fs;
  fs.statfs = (() => Promise.resolve({ bavail: disk.freeBytes / BLOCK, blocks: disk.totalBytes / BLOCK, bsize: BLOCK })) as unknown as typeof statfs;
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.statfs = statfs;
    syncBuiltinESMExports();
  });
}
