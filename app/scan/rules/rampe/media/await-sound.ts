import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { PausingGlobals } from "~/scan/page/pause";

/**
 * Waits, 1.5 s at most, until what is judged by its sound (`Kit.hasSound`) has been decoded for a moment. In a page whose clock was turned
 * forward (`page-clock.ts`) nothing plays: its sound stays unknown. The world needs `definePause`.
 */
export async function awaitSound(isolatedWorld: IsolatedWorld): Promise<void> {
  await isolatedWorld.call(soundDecoded);
}

/** Runs inside the page. */
async function soundDecoded(): Promise<void> {
  const [mostTries, everyMs, leastBytes, leastSeconds] = [30, 50, 2_000, 0.2];
  const { pause } = globalThis as unknown as PausingGlobals;
  const media = [...document.querySelectorAll<HTMLMediaElement & { webkitAudioDecodedByteCount?: number }>("audio[autoplay], video[autoplay], video:has(> track[kind=descriptions])")];
  const isOpen = (each: (typeof media)[number]) => {
    const isDecoded = (each.webkitAudioDecodedByteCount ?? 0) >= leastBytes && (each.paused || each.currentTime >= leastSeconds);
    return !isDecoded && !each.error && each.networkState !== HTMLMediaElement.NETWORK_NO_SOURCE && each.networkState !== HTMLMediaElement.NETWORK_EMPTY;
  };
  for (let tries = 0; tries < mostTries && media.some(isOpen); tries += 1) await pause(everyMs);
}
