import type { CDPSession } from "puppeteer";
import { withinOr } from "~/platform/async/deadline";
import type { Tab } from "./tab";

/** The clock of a page's timers and scripts. It runs in real time until it is first used. */
export interface PageClock {
  /**
   * Advances the clock of all frames by `ms` at once: due timers are called one after the other; while a network answer
   * is awaited, the clock stands still.
   * @param wallMs upper limit of the wait, in real time
   * @returns false when the page had not finished by then
   */
  skip(ms: number, wallMs: number): Promise<boolean>;
  /** Same as `skip`, but the clock does not wait for the network. */
  advance(ms: number, wallMs: number): Promise<boolean>;
  /** Runs the clock in real time until the page is closed. */
  run(): void;
  /** Has the clock ever been used? */
  used(): boolean;
}

/** Due timers may fire this much late. */
const STEP_MS = 50;
/** Number of immediate tasks in a row before the clock advances anyway. */
const MOST_TASKS = 100;
const ANSWER_WITHIN_MS = 10_000;

type Policy = "advance" | "pauseIfNetworkFetchesPending";

/**
 * Chromium's virtual time (`Emulation.setVirtualTimePolicy`): a page that would show something in 15 s does so at once,
 * so waiting for every page is affordable. It belongs to the page's process, which no other page shares. Once used, it
 * cannot return to the usual clock, so `run` grants the page small portions of time.
 */
export function createPageClock(tab: Tab): PageClock {
  let used = false;
  let running = false;

  async function grant(policy: Policy, ms: number, wallMs: number): Promise<boolean> {
    used = true;
    const [main, ...others] = tab.sessions().map((session) => grantTo(session, policy, ms));
    // A frame in a separate process may have ended.
    const all = Promise.all([main, ...others.map((other) => other.catch(() => {}))]);
    return withinOr(wallMs, all.then(() => true), false);
  }

  async function pump(): Promise<void> {
    let given = performance.now();
    while (running) {
      await grant("advance", Math.max(1, performance.now() - given), ANSWER_WITHIN_MS);
      given = performance.now();
      await tab.until(() => !running, STEP_MS);
    }
  }

  return {
    used: () => used,
    async skip(ms, wallMs) {
      running = false;
      return grant("pauseIfNetworkFetchesPending", ms, wallMs);
    },
    async advance(ms, wallMs) {
      running = false;
      return grant("advance", ms, wallMs);
    },
    run() {
      if (running || !used) return;
      running = true;
      // The loop ends when the page is gone.
      pump().catch(() => (running = false));
    },
  };
}

async function grantTo(session: CDPSession, policy: Policy, budget: number): Promise<void> {
  // Events do not name their grant. The earlier grant ends here: its event comes before this answer.
  await session.send("Emulation.setVirtualTimePolicy", { policy: "pause" });
  await new Promise<void>((resolve, reject) => {
    session.once("Emulation.virtualTimeBudgetExpired", resolve);
    session
      .send("Emulation.setVirtualTimePolicy", { policy, budget, maxVirtualTimeTaskStarvationCount: MOST_TASKS })
      .catch((error: unknown) => {
        session.off("Emulation.virtualTimeBudgetExpired", resolve);
        reject(error instanceof Error ? error : new Error(String(error)));
      });
  });
}
