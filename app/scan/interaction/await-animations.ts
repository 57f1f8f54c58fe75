import type { PausingGlobals } from "~/scan/page/pause";

/**
 * Runs inside the page, in an isolated world; it is sent as source text: waits until running animations have ended.
 * @param leastMs minimum wait, for animations that begin a moment later
 * @param mostMs animations that take longer are not waited for
 */
export async function awaitAnimations(leastMs: number, mostMs: number): Promise<void> {
  const { pause } = globalThis as unknown as PausingGlobals;
  await pause(leastMs);
  const ends = document.getAnimations().flatMap(({ effect, playState, finished }) => {
    const { endTime } = effect?.getComputedTiming() ?? {};
    return playState === "running" && Number(endTime) <= mostMs ? [finished.catch(() => {})] : [];
  });
  if (ends.length > 0) await Promise.race([Promise.all(ends), pause(mostMs)]);
}
