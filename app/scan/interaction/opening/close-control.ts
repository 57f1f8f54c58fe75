import { awaitAnimations } from "~/scan/interaction/await-animations";
import { goAround } from "~/scan/interaction/go-around";
import { FOCUSED_WITHIN_MS, OPENED_WITHIN_MS, type Opened, type UsedPage } from "./open-control";
import { focusVisited, isClosed, noteClosed, noteLeft, type ClosedBy, type Opener } from "./opening-log";
import { focusCloser, noteAgain, pointOf, pointOfCloser } from "./ready-control";
import { isFocusInside, noteReturn, placeOfFocus } from "./return-of-focus";

/** Maximum number of visited stops of a modal dialog. */
const MOST_STOPS = 20;
/** Maximum number of buttons in a modal dialog that may close it. */
const MOST_CLOSERS = 3;

/** Tests whether the focus stays in a modal dialog, also backward over its start. */
export async function walkInside({ world, input, isFrame, signal }: UsedPage, index: number): Promise<void> {
  for (const key of ["Tab", "Shift+Tab"] as const) {
    let isFirst = true;
    const place = await goAround(async () => {
      signal.throwIfAborted();
      await input.press(key);
      const now = await world.call(noteLeft, index, key, isFirst);
      isFirst = false;
      return now;
    }, MOST_STOPS);
    // What is around a frame stays in use: the focus may leave it.
    if (isFrame && place !== "behind") await world.call(focusVisited);
    if (place === "behind") return;
  }
}

/** Closes the content of a control: by Escape, by the control, by a button inside. @returns what has closed all of it; undefined if it stays open */
export async function closeControl(page: UsedPage, index: number, { isModal, by }: Opened): Promise<ClosedBy | undefined> {
  const { world, input } = page;
  const isInside = isKey(by) && (await world.call(isFocusInside, index));
  for (const way of isModal || isInside ? (["Escape", "again"] as const) : (["again", "Escape"] as const)) {
    const returns = isInside && way === "Escape";
    if (way === "Escape") await input.press("Escape");
    else await activateAgain(page, index, by);
    // The focus may leave the content later than that closes.
    if (isModal || isInside || !(await world.call(isClosed))) await input.rest();
    if (!(await world.call(isClosed))) continue;
    // An arrow key opened the content, and Escape closed it.
    return noteEnd(by === "ArrowDown" ? "Escape" : way, returns);
  }
  for (let tried = 0; isModal && tried < MOST_CLOSERS; tried += 1) {
    const closer = await world.call(focusCloser, index, tried === 0);
    if (!closer) break;
    await input.press("Enter");
    await input.rest();
    // An answer may move the focus on to what follows from it.
    if (await world.call(isClosed)) return noteEnd("button", isKey(by) && closer === "closes");
  }
  // What a key cannot close would stay in front of the page.
  return by === "pointer" && (await clickCloser(page)) ? "button" : undefined;

  /** @param returns a key in the content has closed it, so the focus should be where it was before */
  async function noteEnd(way: ClosedBy, returns: boolean): Promise<ClosedBy> {
    await world.call(noteClosed, index, way);
    if (!isModal && !returns) return way;
    const isExpected = (focus: "back" | "lost" | "away") => focus === "back" || (focus === "away" && !returns);
    // Scripts often move the focus only after animations have ended.
    if (!isExpected(await world.call(placeOfFocus, index))) await world.call(awaitAnimations, FOCUSED_WITHIN_MS, OPENED_WITHIN_MS);
    const place = await world.call(placeOfFocus, index);
    if (place === "lost") await input.press("Tab");
    if (place === "lost" || returns) await world.call(noteReturn, index, place === "lost");
    return way;
  }
}

/** Shows the content of a bare control once more, so that it cannot have come by itself, and closes it. */
export async function clickAgain(page: UsedPage, index: number, { by }: Opened): Promise<void> {
  const { world, input } = page;
  const point = await world.call(pointOf, index);
  if (!point) return;
  await input.click(point);
  await input.rest();
  if (!(await world.call(noteAgain, index))) return;
  await activateAgain(page, index, by);
  await input.rest();
  if (await world.call(isClosed)) return;
  await input.press("Escape");
  await input.rest();
  if (!(await world.call(isClosed))) await clickCloser(page);
}

async function activateAgain({ world, input }: UsedPage, index: number, by: Opener): Promise<void> {
  if (isKey(by)) {
    await input.focusOn(index);
    await input.press(by === "ArrowDown" ? "Escape" : by);
    return;
  }
  const point = by === "pointer" ? await world.call(pointOf, index) : undefined;
  await input.pointAway();
  if (point) await input.click(point);
}

async function clickCloser({ world, input }: UsedPage): Promise<boolean> {
  const point = await world.call(pointOfCloser);
  if (!point) return false;
  await input.click(point);
  await input.rest();
  return world.call(isClosed);
}

const isKey = (by: Opener): by is "Enter" | "Space" | "ArrowDown" => by === "Enter" || by === "Space" || by === "ArrowDown";
