import type { CDPSession } from "puppeteer";
import { OutOfTime, within } from "~/scan/browser/deadline";
import type { Tab } from "./tab";

/** The time of a page, as its timers and scripts know it. Until it is first used, it goes by as ours does. */
export interface PageClock {
  /**
   * Lets so many ms go by at once, for all frames: timers that fall due are called one after the other, and while an
   * answer of the network is awaited, time stands still.
   * @param wallMs it does not wait longer, by our clock
   * @returns false when the page was not through by then
   */
  skip(ms: number, wallMs: number): Promise<boolean>;
  /** As `skip`, but time does not stand still for the network. */
  advance(ms: number, wallMs: number): Promise<boolean>;
  /** From now on, time goes by as ours does, until the page is closed. */
  run(): void;
  /** Has time ever been let go by? */
  used(): boolean;
}

/** Timers that are due may come so much late. */
const STEP_MS = 50;
/** Tasks that follow on one another at once, before time goes by all the same. */
const MOST_TASKS = 100;
const ANSWER_WITHIN_MS = 10_000;

type Policy = "advance" | "pauseIfNetworkFetchesPending";

/**
 * Chromium's virtual time (`Emulation.setVirtualTimePolicy`): a page that would show something in 15 s does so at once,
 * which is what makes waiting for every page affordable. It belongs to the page's process, which no other page shares.
 * Once it is used there is no way back to the usual clock, so that `run` gives the page small portions of it.
 */
export function createPageClock(tab: Tab): PageClock {
  let used = false;
  let running = false;

  async function grant(policy: Policy, ms: number, wallMs: number): Promise<boolean> {
    used = true;
    const [main, ...others] = tab.sessions().map((session) => grantTo(session, policy, ms));
    // A frame in a process of its own may have gone.
    const all = Promise.all([main, ...others.map((other) => other.catch(() => {}))]);
    try {
      await within(wallMs, all);
      return true;
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      return false;
    }
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
      // It ends when the page is gone.
      pump().catch(() => (running = false));
    },
  };
}

async function grantTo(session: CDPSession, policy: Policy, budget: number): Promise<void> {
  // Nothing tells whose end an event says. What was granted before ends here: an event about it comes before this answer.
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
