import { readdirSync, readFileSync } from "node:fs";

/** Length of a kernel clock tick in `/proc`, the same on every machine that runs Node. */
const TICK_MS = 10;

/**
 * CPU time so far, in ms, of this process ("ours") and of all Chromium processes of this machine, by kind. Includes ended renderers:
 * their parent keeps the sum. Empty without `/proc`.
 */
export function cpuByProcess(): Map<string, number> {
  const { user, system } = process.cpuUsage();
  const sums = new Map([["ours", (user + system) / 1_000]]);
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      const type = /--type=([\w-]+)/.exec(command)?.[1];
      if (!type && !/chrom|headless/.test(command.split("\0")[0] ?? "")) continue;
      // Fields 14 to 17 of proc_pid_stat(5): own time, then the time of ended children.
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" ").map(Number);
      const [own = 0, ownSystem = 0, ended = 0, endedSystem = 0] = fields.slice(11, 15);
      const kind = type === "zygote" ? "renderer" : (type ?? "browser");
      const children = kind === "renderer" ? ended + endedSystem : 0;
      sums.set(kind, (sums.get(kind) ?? 0) + (own + ownSystem + children) * TICK_MS);
    } catch {
      // The process has ended.
    }
  }
  return sums;
}
