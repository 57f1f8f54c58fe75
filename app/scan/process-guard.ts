import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import type { CDPSession } from "puppeteer";
import { within } from "./deadline";
import { privateMemory } from "./memory";

export interface ProcessGuardOptions {
  /** A session of the browser itself. */
  root: CDPSession;
  /** What a process that shows pages may take, in bytes. */
  mostBytes: number;
  /** Called after such a process has been ended. */
  onEnded: (bytes: number) => void;
  /** Called when the browser's other processes have taken much more than that together. */
  onFat: (bytes: number) => void;
}

export interface ProcessGuard {
  /** Looks at once, as for a page that has just been opened; rejects when the browser does not answer. */
  look(): Promise<void>;
  stop(): void;
}

/** Of what runs pages; the browser itself has 10 (see `browser-launch.ts`). */
const NICENESS_OF_PAGES = 15;
const LOOK_EVERY_MS = 400;
const ANSWER_WITHIN_MS = 2_000;
/** What a browser takes without any page. */
const BYTES_OF_THE_REST = 600_000_000;

/**
 * Watches over what a browser's processes take, because a page may take all that the machine has within seconds: of
 * memory, where that can be told (only Linux does), and of time. A page that floods its browser with messages, such as
 * errors without end, would else keep it from answering us.
 */
export function guardProcesses({ root, mostBytes, onEnded, onFat }: ProcessGuardOptions): ProcessGuard {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const lowered = new Set<number>();

  async function look() {
    const { processInfo } = await within(ANSWER_WITHIN_MS, root.send("SystemInfo.getProcessInfo"));
    let rest = 0;
    for (const { id, type } of processInfo) {
      if (type === "renderer" && !lowered.has(id)) {
        lowered.add(id);
        lowerPriority(id);
      }
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
  return {
    look,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICENESS_OF_PAGES);
  } catch {
    // It is gone already.
  }
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
