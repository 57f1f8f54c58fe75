import type { IsolatedWorld } from "~/scan/page/isolated-world";

/** Waits until what is judged by its sound (`Kit.hasSound`) has been decoded for a moment; not long for what does not load. */
export async function awaitSound(isolatedWorld: IsolatedWorld): Promise<void> {
  await isolatedWorld.call(soundHeard);
}

/** Runs inside the page. */
async function soundHeard(): Promise<void> {
  const [mostTries, everyMs, leastBytes, leastSeconds] = [30, 50, 2_000, 0.2];
  const media = [...document.querySelectorAll<HTMLMediaElement & { webkitAudioDecodedByteCount?: number }>("audio[autoplay], video[autoplay], video:has(> track[kind=descriptions])")];
  const isOpen = (each: (typeof media)[number]) => {
    const isHeard = (each.webkitAudioDecodedByteCount ?? 0) >= leastBytes && (each.paused || each.currentTime >= leastSeconds);
    return !isHeard && !each.error && each.networkState !== HTMLMediaElement.NETWORK_NO_SOURCE && each.networkState !== HTMLMediaElement.NETWORK_EMPTY;
  };
  for (let tries = 0; tries < mostTries && media.some(isOpen); tries += 1) await new Promise((resolve) => setTimeout(resolve, everyMs));
}
