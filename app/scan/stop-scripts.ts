import type { CDPSession } from "puppeteer";
import { OutOfTime, within } from "./deadline";
import { openWorld, type World } from "./world";

/** A script that keeps its frame from answering for longer is stopped. */
const ANSWER_WITHIN_MS = 2_500;

/**
 * Opens our script world in a frame; where a script of the page never lets go, it is stopped first.
 * @param onStop called when that was necessary
 */
export async function openAnsweringWorld(
  session: CDPSession,
  frameId: string,
  onStop: () => void = () => {},
): Promise<World> {
  const open = async () => {
    const world = await openWorld(session, frameId);
    await world.call(() => true);
    return world;
  };
  try {
    return await within(ANSWER_WITHIN_MS, open());
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    await stopScripts(session);
    onStop();
    return within(ANSWER_WITHIN_MS, open());
  }
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
