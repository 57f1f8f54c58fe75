import type { CDPSession } from "puppeteer";
import { patience } from "~/scan/browser/concurrency";
import { OutOfTime, within } from "~/scan/browser/deadline";
import { openIsolatedWorld, type IsolatedWorld } from "./isolated-world";

// For a machine with time to spare.
/** A page that does not even say that it is there for so long is silenced. */
const OPEN_WITHIN_MS = 2_500;
/** One that is there may have to work for an answer. */
const ANSWER_WITHIN_MS = 4_000;
/** A page's next document may take its time. */
const LEAVE_WITHIN_MS = 8_000;
const LOOK_EVERY_MS = 200;

/**
 * Opens our script world in a frame, also where a script of the page never lets go.
 * @param onSilence called when the page's scripts had to be silenced for it
 * @param opening one that has been asked for already
 */
export async function openResponsiveWorld(
  session: CDPSession,
  frameId: string,
  onSilence?: () => void,
  opening?: Promise<IsolatedWorld>,
): Promise<IsolatedWorld> {
  let opened = opening;
  return callOrTerminateScripts(
    session,
    async () => {
      const world = await (opened ?? openIsolatedWorld(session, frameId));
      opened = undefined;
      await world.call(() => true);
      return world;
    },
    onSilence,
    OPEN_WITHIN_MS
  );
}

/** Says which navigation a session's page is about to be replaced by, if any. */
const leaving = new WeakMap<CDPSession, () => string | undefined>();

/** The browser keeps our messages back from a page that is about to be another one: that is no script's doing. */
export function trackPendingNavigation(session: CDPSession, navigation: () => string | undefined): void {
  leaving.set(session, navigation);
}

/**
 * Does something quick in a page; where a script of the page keeps it from answering, the page's scripts are silenced.
 * @param task may be called again
 * @throws {OutOfTime} when there is no answer even then
 */
export async function callOrTerminateScripts<Answer>(
  session: CDPSession,
  task: () => Promise<Answer>,
  onSilence: () => void = () => {},
  patienceMs = ANSWER_WITHIN_MS
): Promise<Answer> {
  const answer = task();
  try {
    return await within(patienceMs * patience(), answer).catch((error: unknown) => onceItStays(session, answer, error));
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    await silenceScripts(session);
    onSilence();
    // What was stopped may have been ours.
    return within(ANSWER_WITHIN_MS * patience(), answer.catch(task));
  }
}

/** Gives one navigation its time; a page that goes on to another address again and again gets none. */
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

/** Stops whatever script runs in a frame's process, the page's own ones included. */
export async function stopScripts(session: CDPSession): Promise<void> {
  // Where none runs, Chromium stops the next one; this makes sure that it is not one of ours.
  const stopped = Promise.allSettled([
    session.send("Runtime.terminateExecution"),
    session.send("Runtime.evaluate", { expression: "0" }),
  ]);
  await within(2_000, stopped).catch(() => {});
}

const silenced = new WeakSet<CDPSession>();

/** No script runs there any more, nor in a document that comes later. */
export const isSilenced = (session: CDPSession): boolean => silenced.has(session);

/** Stops the page's scripts for good. Our own still run, but no timer or callback of theirs does. */
export async function silenceScripts(session: CDPSession): Promise<void> {
  silenced.add(session);
  // First, and without waiting for it: a script that is stopped may have the next one begin at once.
  session.send("Emulation.setScriptExecutionDisabled", { value: true }).catch(() => {});
  await stopScripts(session);
}
