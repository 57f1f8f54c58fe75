import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { animationLengthMs } from "./animation-length";
import { drawnImages, forgetAnimatedImages, keepAnimatedImages } from "./keep-animated-images";

/** Supported formats of animations; many pages have more pictures than can be read. */
const MAY_MOVE = /^image\/(gif|webp|apng)$/;
const MOST_IMAGES = 500;
const MOST_READ = 40;
/** Maximum size of one file. */
const MOST_BYTES = 5_000_000;
const INLINE = /^data:(image\/[a-z]+);base64,/;

/**
 * Reads the loaded pictures of the page's own document that may move, and keeps in its world which of them do. It sends no further
 * requests to a server; pictures that the browser no longer holds are skipped.
 * @param signal nothing is kept once it is aborted
 */
export async function collectAnimatedImages(isolatedWorld: IsolatedWorld, signal: AbortSignal): Promise<void> {
  const { session, frameId } = isolatedWorld;
  await isolatedWorld.call(forgetAnimatedImages);
  const drawn = new Set(await isolatedWorld.call(drawnImages, MOST_IMAGES));
  const inline = [...drawn].filter((address) => address.length < MOST_BYTES && MAY_MOVE.test(INLINE.exec(address)?.[1] ?? ""));
  const lengths = inline.map((address): [string, number] => [address, animationLengthMs(Buffer.from(address.replace(INLINE, ""), "base64"))]);

  const { frameTree } = await session.send("Page.getResourceTree");
  const loaded = frameTree.resources.filter(({ url, mimeType, contentSize = 0, failed }) => drawn.has(url) && !failed && MAY_MOVE.test(mimeType) && contentSize <= MOST_BYTES);
  for (const { url } of loaded.slice(0, MOST_READ)) {
    if (signal.aborted) return;
    const file = await session.send("Page.getResourceContent", { frameId, url }).catch(() => null);
    if (file?.base64Encoded) lengths.push([url, animationLengthMs(Buffer.from(file.content, "base64"))]);
  }
  if (signal.aborted) return;
  await isolatedWorld.call(keepAnimatedImages, lengths.flatMap(([url, ms]): [string, number | null][] => (ms === 0 ? [] : [[url, ms === Infinity ? null : ms]])));
}
