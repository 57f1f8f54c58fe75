import { within } from "~/scan/browser/deadline";
import { outlineElement } from "./outline";
import type { CheckedPage, ElementResult } from "~/scan/types";
import type { IsolatedWorld } from "~/scan/page/isolated-world";

/** Of each rule. */
export const PICTURES_PER_RULE = 3;
const MOST_PICTURES = 30;
const LARGEST = { width: 900, height: 600 };
const MOST_BYTES = 100_000;
/** The second one for a picture that is too large by the first: photographs. */
const QUALITIES = [75, 40];

interface Wanted {
  /** Place of its rule among the violated ones. */
  rule: number;
  /** In its finding. */
  position: number;
  element: ElementResult;
}

/**
 * Takes pictures of the first elements of each violated rule, outlined, and adds them to the elements. One that cannot be
 * seen has none; when the time is over, neither have those that are left. It scrolls the page, so that it has to be the
 * last thing done to it. Never fails.
 * @param world where the page has been analysed
 * @param budgetMs for all of them
 */
export async function takePictures(world: IsolatedWorld, findings: CheckedPage["findings"], budgetMs: number): Promise<void> {
  let isOver = false;
  const taken = new Map<number, Uint8Array | undefined>();

  async function take({ rule, position, element }: Wanted): Promise<void> {
    const cutout = await world.call(outlineElement, rule, position, LARGEST);
    if (!cutout) return;
    const { mark, ...clip } = cutout;
    // Several rules may be about the same element.
    if (!taken.has(mark)) taken.set(mark, await capture(world, clip));
    const picture = taken.get(mark);
    if (picture && !isOver) element.picture = picture;
  }

  async function takeAll(): Promise<void> {
    for (const wanted of wantedOf(findings)) {
      if (isOver) return;
      await take(wanted);
    }
  }

  // Whatever goes wrong with the page by now, it has been checked.
  await within(budgetMs, takeAll()).catch(() => {});
  isOver = true;
}

/** The first element of each rule goes before the second of any. */
function wantedOf({ violations }: CheckedPage["findings"]): Wanted[] {
  return Array.from({ length: PICTURES_PER_RULE }, (_, position) =>
    violations.flatMap(({ elements }, rule) => {
      const element = elements[position];
      return element ? [{ rule, position, element }] : [];
    }),
  )
    .flat()
    .slice(0, MOST_PICTURES);
}

async function capture(
  { session }: IsolatedWorld,
  clip: { x: number; y: number; width: number; height: number },
): Promise<Uint8Array | undefined> {
  for (const quality of QUALITIES) {
    const { data } = await session.send("Page.captureScreenshot", {
      format: "webp",
      quality,
      clip: { ...clip, scale: 1 },
    });
    const picture = Buffer.from(data, "base64");
    if (picture.length <= MOST_BYTES) return picture;
  }
  return undefined;
}
