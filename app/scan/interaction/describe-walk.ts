import { within } from "~/platform/async/deadline";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { Axe } from "~/scan/rules/axe-internals";
import type { KeyboardWalk, WalkStop } from "~/scan/types";
import type { WalkGlobals } from "./focus-log";

/** Stops that are described. */
const MOST_STOPS = 200;
const LONGEST_NAME = 100;
/** Height of the picture, in CSS pixels of the page. */
const MOST_HEIGHT = 5_000;
const STOPS_WITHIN_MS = 1_500;
const PICTURE_WITHIN_MS = 1_500;
/** For the picture that is being taken when the time is over. */
const LAST_WITHIN_MS = 1_000;
const MOST_BYTES = 400_000;
/** From good to small: pictures that are too large with one are taken with the next. */
const PICTURES = [
  { scale: 0.75, quality: 50 },
  { scale: 0.5, quality: 35 },
];

/** In CSS pixels. */
interface PageSize {
  width: number;
  height: number;
}

type Described = PageSize & Pick<KeyboardWalk, "stops" | "count">;

/**
 * Describes the elements that a walk has focused, and takes one picture of the page from its top. It scrolls to the top, so that only
 * what does not depend on that may follow.
 * @param budgetMs for the picture
 * @returns undefined if nothing was focused
 * @throws if the page does not answer
 */
export async function describeWalk(world: IsolatedWorld, isWhole: boolean, budgetMs: number): Promise<KeyboardWalk | undefined> {
  const { stops, count, ...size } = await within(STOPS_WITHIN_MS, world.call(describeStops, MOST_STOPS, LONGEST_NAME, MOST_HEIGHT));
  if (count === 0) return undefined;
  // Without a picture, the list remains.
  let isOver = false;
  const taking = capture(world, size, () => isOver);
  const image = await within(Math.min(PICTURE_WITHIN_MS, budgetMs), taking).catch(() => undefined);
  isOver = true;
  // The browser sets the size of the window again when a picture is done.
  await within(LAST_WITHIN_MS, taking).catch(() => {});
  return { stops, count, isWhole, ...(image && { picture: { image, ...size } }) };
}

async function capture({ session }: IsolatedWorld, { width, height }: PageSize, isOver: () => boolean): Promise<Uint8Array | undefined> {
  for (const { scale, quality } of PICTURES) {
    if (isOver()) return undefined;
    const clip = { x: 0, y: 0, width, height, scale };
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality, clip, captureBeyondViewport: true });
    const image = Buffer.from(data, "base64");
    if (image.length <= MOST_BYTES) return image;
  }
  return undefined;
}

/** Runs inside the page, in an isolated world; it is sent as source text. */
function describeStops(most: number, longest: number, mostHeight: number): Described {
  const { axe, rampeWalk } = globalThis as unknown as { axe: Axe } & WalkGlobals;
  const order = rampeWalk?.order ?? [];
  scrollTo({ top: 0, left: 0, behavior: "instant" });
  // Names and roles come from axe's tree, which exists during its runs alone.
  axe.teardown();
  axe.setup(document);
  try {
    const stops = order.slice(0, most).map(describe);
    const height = Math.max(innerHeight, Math.min(mostHeight, document.documentElement.scrollHeight));
    return { stops, count: order.length, width: innerWidth, height };
  } finally {
    axe.teardown();
  }

  function describe(element: Element): WalkStop {
    return { ...namesOf(element), box: boxOf(element) };
  }

  function namesOf(element: Element): Pick<WalkStop, "name" | "role"> {
    try {
      const node = axe.utils.getNodeFromTree(element);
      if (!node) return { name: "", role: null };
      const { aria, text } = axe.commons;
      return { name: text.sanitize(text.accessibleTextVirtual(node)).slice(0, longest), role: aria.getRole(node, { noPresentational: true }) };
    } catch {
      // axe throws errors for some elements.
      return { name: "", role: null };
    }
  }

  /** In the page; null if it is not drawn. */
  function boxOf(element: Element): WalkStop["box"] {
    // A form's controls may hide its methods by having the same names.
    const { left, top, width, height } = Element.prototype.getBoundingClientRect.call(element);
    if (width < 1 || height < 1) return null;
    return { x: Math.round(left + scrollX), y: Math.round(top + scrollY), width: Math.round(width), height: Math.round(height) };
  }
}
