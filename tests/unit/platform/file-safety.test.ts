import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { syncToDisk } from "~/platform/file-safety.server";
import { freshFolder } from "../../support/servers/fresh-folder";

test.each(["linux", "win32"] as const)("files and folders are synced, and a missing one is an error (%s)", async (platform) => {
  const folder = freshFolder();
  const file = path.join(folder, "file");
  writeFileSync(file, "text");
  for (const place of [file, folder]) await expect(syncToDisk(place, platform), place).resolves.toBeUndefined();
  await expect(syncToDisk(path.join(folder, "none"), platform)).rejects.toThrow("ENOENT");
});

// The file of a running program is readable, but not writable, also for root.
if (process.platform === "linux") {
  test("files are opened for writing on Windows alone, which syncs no others", async () => {
    await expect(syncToDisk(process.execPath, "linux")).resolves.toBeUndefined();
    await expect(syncToDisk(process.execPath, "win32")).rejects.toThrow(/ETXTBSY|EACCES|EROFS/);
  });
}
