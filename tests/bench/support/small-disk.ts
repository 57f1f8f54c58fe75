import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const MB = 1_000_000;

/** Separate disk, mounted at a folder. */
export interface SmallDisk {
  folder: string;
  /** Writes until the disk is full. */
  fill(): void;
  /** Deletes the data of `fill`. */
  empty(): void;
  /** Causes an error of the file system, after which the kernel makes it read-only. */
  fail(): void;
  mountAgain(): void;
  remove(): void;
}

/** Makes and mounts a disk. @throws for all users except root, and without loop devices or `mkfs.ext4` */
export function makeDisk(megabytes: number): SmallDisk {
  const parent = mkdtempSync(path.join(tmpdir(), "rampe-disk-"));
  const [image, folder] = [path.join(parent, "image"), path.join(parent, "disk")];
  const filler = path.join(folder, "filler");
  mkdirSync(folder);
  writeFileSync(image, "");
  truncateSync(image, megabytes * MB);
  run("mkfs.ext4", "-q", "-F", image);
  mount();

  function mount(): void {
    run("mount", "-o", "loop,errors=remount-ro", image, folder);
  }

  return {
    folder,
    fill() {
      const file = openSync(filler, "w");
      for (const bytes of [MB, 4_096, 1]) {
        try {
          for (;;) writeSync(file, Buffer.alloc(bytes));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        }
      }
      closeSync(file);
    },
    empty: () => rmSync(filler),
    fail() {
      const device = path.basename(run("findmnt", "-n", "-o", "SOURCE", folder).trim());
      writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, "a test");
    },
    mountAgain() {
      run("umount", folder);
      // 1: errors were repaired.
      const { status } = spawnSync("fsck.ext4", ["-p", image]);
      if (status !== 0 && status !== 1) throw new Error(`fsck.ext4 ended with ${status}`);
      mount();
    },
    remove() {
      run("umount", folder);
      rmSync(parent, { recursive: true });
    },
  };
}

function run(program: string, ...options: string[]): string {
  return execFileSync(program, options, { encoding: "utf8" });
}
