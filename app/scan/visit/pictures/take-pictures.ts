import { within } from "~/platform/async/deadline";
import { outlineElement, removeOutline, type ReportedElement } from "./outline";
import type { CheckedPage, ElementResult } from "~/scan/types";
import { worstFindingFirst } from "~/scan/impact";
import type { IsolatedWorld } from "~/scan/page/isolated-world";

export interface PictureChoice {
  /** Maximum number of pictures for each rule. */
  perRule: number;
  /** Number of rules that get so many, the worst first; each of the others gets one. */
  rules: number;
  /** Maximum number of pictures of a page. */
  most: number;
}

const MANY: PictureChoice = { perRule: 3, rules: Infinity, most: 30 };
/** Choice for a free check, which shows three rules in full, and the others by name. */
export const FEW: PictureChoice = { perRule: 3, rules: 3, most: 12 };
const LARGEST = { width: 900, height: 600 };
const MOST_BYTES = 100_000;
const OUTLINE_WITHIN_MS = 500;
/** Time to finish the current picture after the budget has ended. */
const LAST_WITHIN_MS = 1_000;
/** Qualities; the second one is for pictures that are too large with the first: photographs. */
const QUALITIES = [75, 40];

interface Wanted {
  which: ReportedElement;
  element: ElementResult;
}

type Pictured = Pick<CheckedPage["findings"], "violations" | "incomplete">;

/**
 * Takes pictures of the first elements of each violated rule, then of each rule that needs review, outlined, and adds them to the
 * elements. Invisible elements get none; neither do the remaining ones when the time is over. It scrolls the page, so later steps
 * must not depend on the scroll position. Never fails.
 * @param isolatedWorld isolated world of the analysis
 * @param budgetMs time for all pictures together
 * @param firstShown index in the report of these findings (`Report.firstShown`)
 * @param isWanted elements to picture
 * @param choice number of pictures
 */
export async function takePictures(
  isolatedWorld: IsolatedWorld,
  findings: Pictured,
  budgetMs: number,
  { firstShown = 0, isWanted = () => true, choice = MANY }: { firstShown?: number; isWanted?: (element: ElementResult) => boolean; choice?: PictureChoice } = {},
): Promise<void> {
  let isOver = false;
  const taken = new Map<number, Uint8Array | undefined>();

  async function take({ which, element }: Wanted): Promise<void> {
    const cutout = await isolatedWorld.call(outlineElement, which, LARGEST);
    if (!cutout) return;
    const { mark, ...clip } = cutout;
    if (isOver) return;
    // Several rules may concern the same element.
    if (!taken.has(mark)) taken.set(mark, await capture(isolatedWorld, clip));
    const picture = taken.get(mark);
    if (picture && !isOver) element.picture = picture;
  }

  async function takeAll(): Promise<void> {
    for (const wanted of wantedOf(findings)) {
      if (isOver) return;
      await take(wanted);
    }
  }

  // The page has been checked: errors no longer matter.
  const taking = takeAll();
  await within(budgetMs, taking).catch(() => {});
  isOver = true;
  // The browser sets the size of the window again when a picture is done.
  await within(LAST_WITHIN_MS, taking).catch(() => {});
  await within(OUTLINE_WITHIN_MS, isolatedWorld.call(removeOutline)).catch(() => {});

  /** Wanted elements, those of violations before those to review. */
  function wantedOf({ violations, incomplete }: Pictured): Wanted[] {
    const failed = [...violations.entries()]
      .sort(([, one], [, other]) => worstFindingFirst(one, other))
      .map(([index, { elements }]) => elements.map((element, position) => ({ which: { rule: firstShown + index, position }, element })));
    const asked = incomplete.map(({ elements }) => elements.map((element) => ({ which: { target: element.target }, element })));
    const wanted = [failed, asked].flatMap((byRule: Wanted[][]) => inTurns(byRule.map((all) => all.filter(({ element }) => isWanted(element))), choice));
    return wanted.slice(0, choice.most);
  }
}

/** Order of the elements: the first elements of all rules come before any second element. */
function inTurns(byRule: Wanted[][], { perRule, rules }: PictureChoice): Wanted[] {
  return Array.from({ length: perRule }, (_, turn) => byRule.flatMap((wanted, place) => (turn === 0 || place < rules ? (wanted[turn] ?? []) : []))).flat();
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
