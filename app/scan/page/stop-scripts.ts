import type { CDPSession } from "puppeteer";
import { timeoutFactor } from "~/scan/browser/concurrency";
import { OutOfTime, within } from "~/platform/async/deadline";
import { openIsolatedWorld, type IsolatedWorld } from "./isolated-world";

// Values for an idle machine.
/** A page that does not respond at all within this time is silenced. */
const OPEN_WITHIN_MS = 2_500;
/** Time for an answer of a responsive page. */
const ANSWER_WITHIN_MS = 4_000;
/** Time for the next document of a page, which may be slow. */
const LEAVE_WITHIN_MS = 8_000;
const LOOK_EVERY_MS = 200;
/** Time for an answer after a script was stopped that had used up the time of our work. */
const STOPPED_WITHIN_MS = 1_000;

/**
 * Opens our isolated world in a frame, even if a script of the page blocks it.
 * @param onSilence called when the page's scripts had to be silenced
 * @param opening an isolated world that was already requested
 */
export async function openResponsiveIsolatedWorld(
  session: CDPSession,
  frameId: string,
  onSilence?: () => void,
  opening?: Promise<IsolatedWorld>,
): Promise<IsolatedWorld> {
  let opened = opening;
  return callOrTerminateScripts(
    session,
    async () => {
      const isolatedWorld = await (opened ?? openIsolatedWorld(session, frameId));
      opened = undefined;
      await isolatedWorld.call(() => true);
      return isolatedWorld;
    },
    onSilence,
    OPEN_WITHIN_MS
  );
}

/** Returns the navigation about to replace a session's page, if any. */
const leaving = new WeakMap<CDPSession, () => string | undefined>();

/** The browser delays our messages to a page that is about to be replaced: no script causes that. */
export function trackPendingNavigation(session: CDPSession, navigation: () => string | undefined): void {
  leaving.set(session, navigation);
}

/**
 * Runs a quick task in a page; if a script of the page blocks the answer, the page's scripts are silenced.
 * @param task may be called again
 * @throws {OutOfTime} when there is still no answer
 */
export async function callOrTerminateScripts<Answer>(
  session: CDPSession,
  task: () => Promise<Answer>,
  onSilence: () => void = () => {},
  patienceMs = ANSWER_WITHIN_MS
): Promise<Answer> {
  const answer = task();
  try {
    return await within(patienceMs * timeoutFactor(), answer).catch((error: unknown) => onceItStays(session, answer, error));
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    await silenceScripts(session);
    onSilence();
    // The stopped script may have been ours.
    return within(ANSWER_WITHIN_MS * timeoutFactor(), answer.catch(task));
  }
}

/** Waits for one navigation; a page that navigates again and again gets no more time. */
async function onceItStays<Answer>(session: CDPSession, answer: Promise<Answer>, late: unknown): Promise<Answer> {
  const navigation = leaving.get(session)?.();
  const end = performance.now() + LEAVE_WITHIN_MS;
  while (late instanceof OutOfTime && navigation && leaving.get(session)?.() === navigation) {
    if (performance.now() > end) break;
    try {
      return await within(LOOK_EVERY_MS, answer);
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
    }
  }
  throw late;
}

/** Stops the running script in a frame's process, even the page's own. */
export async function stopScripts(session: CDPSession): Promise<void> {
  // If none runs, Chromium stops the next one; this harmless script makes sure that it is not ours.
  const stopped = Promise.allSettled([
    session.send("Runtime.terminateExecution"),
    session.send("Runtime.evaluate", { expression: "0" }),
  ]);
  await within(2_000, stopped).catch(() => {});
}

/**
 * Stops a page's script if our work there ran out of time.
 * @param error of the work
 * @throws the error if it is another one; {OutOfTime} if the page still does not answer
 */
export async function stopIfHanging(session: CDPSession, error: unknown): Promise<void> {
  if (!(error instanceof OutOfTime)) throw error;
  await within(STOPPED_WITHIN_MS, stopScripts(session));
}

const silenced = new WeakSet<CDPSession>();

/** No page script runs there any more, nor in later documents. */
export const isSilenced = (session: CDPSession): boolean => silenced.has(session);

/** Stops the page's scripts permanently. Ours still run, but no timer or callback of the page does. */
export async function silenceScripts(session: CDPSession): Promise<void> {
  silenced.add(session);
  // First, and without waiting: a stopped script may start the next one at once.
  session.send("Emulation.setScriptExecutionDisabled", { value: true }).catch(() => {});
  await stopScripts(session);
}
