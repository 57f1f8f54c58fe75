import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { PausingGlobals } from "~/scan/page/pause";

/** Measurements of a muted copy of a sound that the browser does not start without its user. */
interface CopiedSound {
  /** Decoded bytes of the sound track. */
  bytes: number;
  /** Played seconds. */
  seconds: number;
}

export interface CopiedSounds {
  rampeSounds?: WeakMap<HTMLMediaElement, CopiedSound>;
}

/**
 * Waits, 1.5 s at most, until media that are judged by their sound (`Kit.hasSound`) have been decoded for a moment. Most browsers start
 * sound by themselves on websites that people use often; this one never does, and decodes no recording that it does not play: a muted
 * copy is played outside of the document. In a page whose clock was advanced (`page-clock.ts`) nothing plays: its sound stays unknown.
 * Needs `definePause`.
 */
export async function awaitSound(isolatedWorld: IsolatedWorld): Promise<void> {
  await isolatedWorld.call(soundDecoded);
}

/** Runs inside the page. */
async function soundDecoded(): Promise<void> {
  const [mostTries, everyMs, leastBytes, leastSeconds, mostCopies] = [30, 50, 2_000, 0.2, 3];
  const { pause } = globalThis as unknown as PausingGlobals;
  type Media = HTMLMediaElement & { webkitAudioDecodedByteCount?: number };
  const media = [...document.querySelectorAll<Media>("audio[autoplay], video[autoplay], video:has(> track[kind=descriptions])")];
  const copies = new Map<Media, Media>();
  // An earlier analysis of the document may have measured some.
  const { rampeSounds: sounds = new WeakMap<HTMLMediaElement, CopiedSound>() } = globalThis as unknown as CopiedSounds;
  const bytesOf = ({ webkitAudioDecodedByteCount = 0 }: Media) => webkitAudioDecodedByteCount;
  const isOpen = (each: Media) => {
    if (sounds.has(each)) return false;
    const played = copies.get(each) ?? each;
    const isDecoded = bytesOf(played) >= leastBytes && (played.paused || played.currentTime >= leastSeconds);
    return !isDecoded && !played.error && each.networkState !== HTMLMediaElement.NETWORK_NO_SOURCE && each.networkState !== HTMLMediaElement.NETWORK_EMPTY;
  };
  for (let tries = 0; tries < mostTries && media.some(isOpen); tries += 1) {
    for (const each of media) if (isHeldBack(each) && copies.size < mostCopies) copies.set(each, playCopy(each));
    await pause(everyMs);
  }
  for (const [each, copy] of copies) sounds.set(each, { bytes: bytesOf(copy), seconds: copy.currentTime });
  Object.assign(globalThis, { rampeSounds: sounds });
  for (const copy of copies.values()) {
    copy.removeAttribute("src");
    copy.load();
  }

  function isHeldBack(each: Media): boolean {
    const isReady = each.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && each.currentSrc !== "";
    return isReady && each.autoplay && each.paused && !each.muted && !each.controls && bytesOf(each) === 0 && !copies.has(each) && !sounds.has(each);
  }

  /** Plays a muted copy. Only videos may be played without their user. */
  function playCopy(each: Media): Media {
    const copy = document.createElement("video");
    copy.muted = true;
    copy.src = each.currentSrc;
    copy.play().catch(() => {});
    return copy;
  }
}
