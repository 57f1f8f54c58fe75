import { readFileSync } from "node:fs";
import type { CDPSession } from "puppeteer";
import { within } from "~/platform/async/deadline";
import { privateMemory } from "./memory";

export interface MemoryGuardOptions {
  /** CDP session of the browser, not of a page. */
  root: CDPSession;
  /** Memory limit of a process that shows pages, in bytes. */
  mostBytes: number;
  /** Called after such a process has been ended. */
  onPageOvergrown: (bytes: number) => void;
  /** Called when the browser's other processes together use much more than `mostBytes`. */
  onBrowserOvergrown: (bytes: number) => void;
}

const LOOK_EVERY_MS = 400;
const ANSWER_WITHIN_MS = 2_000;
/** Memory of a browser without any page. */
const BYTES_OF_THE_REST = 600_000_000;

/**
 * Watches the memory of a browser's processes, because a page may use up the machine's memory within seconds. Does
 * nothing if memory cannot be measured (only Linux can).
 * @returns a function that stops the guard
 */
export function guardMemory({ root, mostBytes, onPageOvergrown, onBrowserOvergrown }: MemoryGuardOptions): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function look() {
    const { processInfo } = await within(ANSWER_WITHIN_MS, root.send("SystemInfo.getProcessInfo"));
    let rest = 0;
    for (const { id, type } of processInfo) {
      const bytes = privateMemory([id]);
      if (type !== "renderer") rest += bytes;
      else if (bytes > mostBytes && endRenderer(id)) onPageOvergrown(bytes);
    }
    if (rest > mostBytes + BYTES_OF_THE_REST && !stopped) onBrowserOvergrown(rest);
  }

  function lookAgain() {
    if (stopped) return;
    timer = setTimeout(() => {
      // If the browser does not answer, its next caller detects that.
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

/** False if the process has already ended; its pid may belong to another program by now. */
function endRenderer(pid: number): boolean {
  try {
    if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer")) return false;
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}
