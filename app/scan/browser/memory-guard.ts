import { readFileSync } from "node:fs";
import type { CDPSession } from "puppeteer";
import { within } from "./deadline";
import { privateMemory } from "./memory";

export interface MemoryGuardOptions {
  /** A session of the browser itself. */
  root: CDPSession;
  /** What a process that shows pages may take, in bytes. */
  mostBytes: number;
  /** Called after such a process has been ended. */
  onEnded: (bytes: number) => void;
  /** Called when the browser's other processes have taken much more than that together. */
  onFat: (bytes: number) => void;
}

const LOOK_EVERY_MS = 400;
const ANSWER_WITHIN_MS = 2_000;
/** What a browser takes without any page. */
const BYTES_OF_THE_REST = 600_000_000;

/**
 * Watches over what a browser's processes take, because a page may take all that the machine has within seconds. Where
 * that cannot be told (only Linux does), it does nothing.
 * @returns what ends it
 */
export function guardMemory({ root, mostBytes, onEnded, onFat }: MemoryGuardOptions): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function look() {
    const { processInfo } = await within(ANSWER_WITHIN_MS, root.send("SystemInfo.getProcessInfo"));
    let rest = 0;
    for (const { id, type } of processInfo) {
      const bytes = privateMemory([id]);
      if (type !== "renderer") rest += bytes;
      else if (bytes > mostBytes && endRenderer(id)) onEnded(bytes);
    }
    if (rest > mostBytes + BYTES_OF_THE_REST && !stopped) onFat(rest);
  }

  function lookAgain() {
    if (stopped) return;
    timer = setTimeout(() => {
      // A browser that does not answer is found out by whoever wants something of it.
      look()
        .catch(() => {})
        .finally(lookAgain);
    }, LOOK_EVERY_MS);
    timer.unref();
  }

  lookAgain();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** False when it is gone already; its number may by now be another program's. */
function endRenderer(pid: number): boolean {
  try {
    if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer")) return false;
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}
