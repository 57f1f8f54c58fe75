import { within } from "~/platform/async/deadline";
import type { IsolatedWorld } from "./isolated-world";

/** Maximum height of a picture of a page, in CSS pixels. */
export const MOST_PAGE_HEIGHT = 5_000;
/** Time to finish the current picture after the budget has ended. */
const LAST_WITHIN_MS = 1_000;
const MOST_BYTES = 400_000;
/** Sizes from good to small: a picture that is too large is taken again with the next one. */
const PICTURES = [
  { scale: 0.75, quality: 50 },
  { scale: 0.5, quality: 35 },
];

/** Size in CSS pixels. */
interface PageSize {
  width: number;
  height: number;
}

/**
 * Takes one picture of a page from its top, which must be in view. Never fails.
 * @returns WebP of at most 400,000 bytes; undefined if the time is over, or the page too large
 */
export async function capturePage({ session }: IsolatedWorld, { width, height }: PageSize, budgetMs: number): Promise<Uint8Array | undefined> {
  let isOver = false;
  const taking = capture();
  const image = await within(budgetMs, taking).catch(() => undefined);
  isOver = true;
  // The browser sets the size of the window again when a picture is done.
  await within(LAST_WITHIN_MS, taking).catch(() => {});
  return image;

  async function capture(): Promise<Uint8Array | undefined> {
    for (const { scale, quality } of PICTURES) {
      if (isOver) return undefined;
      const clip = { x: 0, y: 0, width, height, scale };
      const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality, clip, captureBeyondViewport: true });
      const image = Buffer.from(data, "base64");
      if (image.length <= MOST_BYTES) return image;
    }
    return undefined;
  }
}
