import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { PausingGlobals } from "~/scan/page/pause";

/** Of a sound that the browser does not start without its user, so that a muted copy was played. */
interface CopiedSound {
  /** Of its sound track, as decoded. */
  bytes: number;
  /** Played. */
  seconds: number;
}

export interface CopiedSounds {
  rampeSounds?: WeakMap<HTMLMediaElement, CopiedSound>;
}

/**
 * Waits, 1.5 s at most, until what is judged by its sound (`Kit.hasSound`) has been decoded for a moment. Most browsers play sound by
 * itself on websites that people use often; this one never does, and decodes no recording that it does not play: a muted copy is played
 * outside of the document. In a page whose clock was turned forward (`page-clock.ts`) nothing plays: its sound stays unknown. The world
 * needs `definePause`.
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
  // An earlier analysis of the document may have heard some.
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

  /** Only videos may be played without their user. */
  function playCopy(each: Media): Media {
    const copy = document.createElement("video");
    copy.muted = true;
    copy.src = each.currentSrc;
    copy.play().catch(() => {});
    return copy;
  }
}
