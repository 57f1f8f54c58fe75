import { within, withinSignal } from "~/platform/async/deadline";
import { awaitColors, confirmColors, hasNewColors, isOnCanvas, noteColors, rememberColors } from "~/scan/conditions/color-facts";
import { hasFixedBars, noteFixedBars } from "~/scan/conditions/fixed-bars";
import { confirmDrawings, hasLostDrawings, noteDrawings, rememberDrawings } from "~/scan/conditions/drawing-facts";
import { movesWhenScrolled } from "~/scan/conditions/motion-facts";
import { isAsWideAsDevice, openAppearances, sizeIn, type Appearance, type Appearances } from "~/scan/conditions/condition";
import { confirmShown, hasNewlyShown, hasRecreatedControls, noteShown, rememberShown } from "~/scan/conditions/shown-facts";
import { areCoversComplete, clearFacts, confirmFacts, hasFacts, noteLayout, rememberLayout, repeatFacts } from "~/scan/conditions/layout-facts";
import { hasOtherPlaces, rememberPlaces } from "~/scan/conditions/place-facts";
import { judgeOrientations, ORIENTATIONS, TURN_REQUEST, type Orientation, type OrientationView } from "~/scan/conditions/orientation";
import { forgetOrientation, keepOrientation, looksAtOrientation, noteOrientation } from "~/scan/conditions/orientation-facts";
import { defineExcuses } from "~/scan/conditions/cover-excuses";
import { defineCovers, HIT_TESTS } from "~/scan/conditions/covers";
import { defineMeasures, LOSS } from "~/scan/conditions/measures";
import { defineMeetings } from "~/scan/conditions/meetings";
import { listensToSize } from "~/scan/conditions/size-listeners";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { stopIfHanging } from "~/scan/page/stop-scripts";
import type { Tab } from "~/scan/page/tab";
import { defineSight } from "~/scan/interaction/sight";
import { analyseAppeared, rulesInConditions, rulesOfColors, rulesOfLayout } from "~/scan/rules/analysis";
import { measureContrast } from "~/scan/rules/rampe/color/measure-contrast";
import { CONDITION_OF } from "~/scan/rules/rampe/index";
import { CATEGORIES, type CheckedPage, type PageRequest } from "~/scan/types";
import { addFindings } from "./add-findings";
import { countPhoneControls } from "./operate/try-phone-controls";
import { addPartial, judgeAgain } from "./judge-again";
import { judgeChanged } from "./judge-changed";
import { takePictures } from "./pictures/take-pictures";
import { COLORS_WITHIN_MS, restIn, RESTS_WITHIN_MS } from "./rest-in";

/** Conditions in their order. Those that change the window come last: scripts may still react to it after the condition. */
const APPEARANCES: Appearance[] = ["text-spacing", "reduced-motion", "dark", "forced-colors", "zoom-200", "phone", "landscape", "text-200"];
/** Maximum time for each condition; pictures take a part of it. */
const MOST_MS = 6_000;
const SHARE_FOR_PICTURES = 0.25;
const SHARE_FOR_SHOWN = 0.4;
const SHARE_FOR_CONTRAST = 0.3;
const BACK_WITHIN_MS = 1_000;

export interface VaryOptions extends Pick<PageRequest, "standard" | "rules" | "pictures"> {
  /** Time in ms. */
  budgetMs: number;
}

export interface Varied {
  /** Ids of rules whose conditions changed nothing: a later run reports that they passed. */
  passed: string[];
  /** Number of controls that may open something and exist only on a phone; undefined if the page could not be seen there. */
  phoneControls: number | undefined;
}

/** Detection of a change, so that rules run only if there is one. */
interface Change {
  note(world: IsolatedWorld, condition: Appearance): Promise<void>;
  isSeen(world: IsolatedWorld): Promise<boolean>;
  /** Compares in the usual condition again: a page that moves by itself may have changed without the condition. */
  confirm(world: IsolatedWorld): Promise<void>;
  /** Compares in the condition again. */
  repeat?(world: IsolatedWorld): Promise<void>;
}

const LAYOUT: Change = {
  note: (world, condition) => world.call(noteLayout, condition, LOSS),
  isSeen: (world) => world.call(hasFacts),
  confirm: (world) => world.call(confirmFacts),
  repeat: (world) => world.call(repeatFacts),
};
/** Maximum share of the height of a narrow screen that bars may cover. */
const MOST_COVERED_PERCENT = 50;
/** Content that is visible only in the condition, such as a menu button on a phone or an image in the dark. */
const SHOWN: Change = {
  note: (world) => world.call(noteShown),
  isSeen: async (world) => (await world.call(hasNewlyShown)) || world.call(hasRecreatedControls),
  confirm: (world) => world.call(confirmShown),
};
/** Bars on a phone that leave little space. */
const BARS: Change = {
  note: (world) => world.call(noteFixedBars, MOST_COVERED_PERCENT),
  isSeen: (world) => world.call(hasFixedBars),
  confirm: async () => {},
};
const COLORS: Change = {
  note: (world, condition) => world.call(noteColors, isOfSize(condition)),
  isSeen: (world) => world.call(hasNewColors),
  confirm: (world) => world.call(confirmColors),
};
const DRAWINGS: Change = {
  note: (world) => world.call(noteDrawings),
  isSeen: (world) => world.call(hasLostDrawings),
  confirm: (world) => world.call(confirmDrawings),
};
/** Several changes together. */
const anyOf = (...changes: Change[]): Change => ({
  note: async (world, condition) => void (await Promise.all(changes.map((each) => each.note(world, condition)))),
  async isSeen(world) {
    for (const each of changes) if (await each.isSeen(world)) return true;
    return false;
  },
  confirm: async (world) => void (await Promise.all(changes.map((each) => each.confirm(world)))),
  repeat: async (world) => void (await Promise.all(changes.map(async (each) => each.repeat?.(world)))),
});
const MOTION: Change = {
  note: async () => {},
  isSeen: (world) => world.call(movesWhenScrolled),
  confirm: async () => {},
};
const CHANGES: Record<Exclude<Appearance, Orientation>, Change> = { "text-spacing": LAYOUT, "reduced-motion": MOTION, dark: anyOf(COLORS, SHOWN), "forced-colors": DRAWINGS, "zoom-200": anyOf(LAYOUT, COLORS), "text-200": LAYOUT, phone: anyOf(LAYOUT, BARS, SHOWN, COLORS) };

/** What a page shows in a condition. "moved": the layout differs from the usual one, with nothing else to judge. "changed": there is something to judge. */
type View = "same" | "moved" | "changed";

/** Rules without a condition that run again in narrower windows, because these change what they judge. */
interface Again {
  ids: string[];
  /** Windows in which they are still to run, or could not. */
  missing: Set<Appearance>;
}

/** Conditions with a narrower window, in which styles may give other colours and another layout. */
const isOfSize = (condition: Appearance): boolean => condition === "zoom-200" || condition === "phone";

/** Rules about text that something may cover. */
const COVER_RULES = ["rampe-text-spacing", "rampe-zoomed-text", "rampe-narrow-text", "rampe-enlarged-text"];

/** Rules that read the same from style sheets as `rampe-turned-device` tests; if they have failed, it need not run. */
const ORIENTATION_RULES = ["rampe-orientation-lock", "rampe-orientation-message", "css-orientation-lock"];

/**
 * Shows an analysed page in other conditions, and adds the findings of the rules for them; if colours or the layout change, also the
 * findings of rules about these. Rules with missing tests are named in `partial`. Afterwards the page is shown as before. Never fails.
 * @param world isolated world of the analysis
 * @param page page whose results are changed
 */
export async function varyPage(tab: Tab, world: IsolatedWorld, page: CheckedPage, { standard, rules, pictures, budgetMs }: VaryOptions): Promise<Varied> {
  const rulesIn = (condition: Appearance) => (condition === "dark" ? rulesOfColors(page.findings) : rulesInConditions(standard, rules, [condition]));
  // Content that appears in a condition is judged by rules that need none.
  const judgesShown = rules?.only === undefined || rules.only.some((id) => !CONDITION_OF.has(id));
  const opens = judgesShown || rulesInConditions(standard, rules, ["opened"]).length > 0;
  const colors: Again = { ids: rulesOfColors(page.findings), missing: new Set(APPEARANCES.filter(isOfSize)) };
  const layout: Again = { ids: rulesOfLayout(page.findings), missing: new Set(APPEARANCES.filter(isOfSize)) };
  const runsAgain = (condition: Appearance) => isOfSize(condition) && colors.ids.length + layout.ids.length > 0;
  const isAsked = (condition: Appearance, ids: string[]) => ids.length > 0 || (condition === "phone" && opens) || (condition === "dark" && judgesShown) || runsAgain(condition);
  const asked = APPEARANCES.map((condition) => ({ condition, ids: rulesIn(condition) })).filter(({ condition, ids }) => isAsked(condition, ids));
  if (asked.length === 0) return { passed: [], phoneControls: 0 };
  // SVG documents have no body, whose text could change its layout.
  if (!(await within(BACK_WITHIN_MS, world.call(hasBody)).catch(() => true))) return { passed: rulesInConditions(standard, rules, APPEARANCES), phoneControls: 0 };
  const unfinished = new Set(asked.flatMap(({ ids }) => ids));
  /** Windows in which colours keep changing, and those with another layout. */
  const [restless, moved] = [new Set<Appearance>(), new Set<Appearance>()];
  const passed: string[] = [];
  let appearances: Appearances | undefined;
  let held: Orientation | undefined;
  let phoneControls: number | undefined;
  let isListening = true;
  const until = performance.now() + budgetMs;
  /** Time for a condition: unused time is left to the following ones. */
  const share = (conditions: number) => Math.min(MOST_MS, (until - performance.now()) / conditions);
  try {
    appearances = await within(share(asked.length), openAppearances(world));
    // Without these measurements, no condition can be judged.
    const hasDrawings = await within(share(Math.max(1, asked.length / 2)), measureBefore());
    isListening = await within(share(asked.length), listensToSize(tab.session));
    const isTurned = await within(share(asked.length), isWorthTurning());
    const canEnlarge = await within(share(asked.length), world.call(isAsWideAsDevice));
    const isWorthShowing = (condition: Appearance) => (condition === "text-200" ? canEnlarge : condition === "forced-colors" ? hasDrawings : isTurned || !isHeld(condition));
    const shown = asked.filter(({ condition }) => isWorthShowing(condition));
    for (const { ids } of asked.filter((each) => !shown.includes(each))) {
      passed.push(...ids);
      for (const id of ids) unfinished.delete(id);
    }
    for (const [index, { condition, ids }] of shown.entries()) {
      const end = performance.now() + share(shown.length - index);
      // A condition that takes too long must not use the time of the others.
      await tryCondition(condition, ids, () => Math.max(0, end - performance.now())).catch((error: unknown) => stopIfHanging(tab.session, error));
      await within(BACK_WITHIN_MS, goBack(appearances));
    }
  } catch (error) {
    // The page went away or hangs, perhaps in our own measuring: its other results stay.
    await stopIfHanging(tab.session, error).catch(() => {});
    if (appearances) await within(BACK_WITHIN_MS, goBack(appearances)).catch(() => {});
  }
  if (appearances) await within(BACK_WITHIN_MS, appearances.close()).catch(() => {});
  // Scripts restore the previous state of the page.
  await within(RESTS_WITHIN_MS, rest("phone", sizeIn())).catch(() => {});
  addPartial(page, [...unfinished, ...[colors, layout].flatMap(({ ids, missing }) => (missing.size > 0 ? ids : []))]);
  return { passed, phoneControls };

  /** @returns whether there is anything that forced colours can make invisible */
  async function measureBefore(): Promise<boolean> {
    await world.call(defineMeasures, LOSS);
    await world.call(defineMeetings);
    await world.call(defineExcuses);
    await world.call(defineCovers, HIT_TESTS);
    await world.call(rememberLayout);
    await world.call(rememberPlaces);
    await world.call(rememberColors);
    await world.call(defineSight);
    await world.call(rememberShown);
    await world.call(forgetOrientation);
    return world.call(rememberDrawings);
  }

  async function tryCondition(condition: Appearance, ids: string[], left: () => number): Promise<void> {
    const view = await withinSignal(left(), (signal) => (isHeld(condition) ? turn(appearances as Appearances, signal) : look(appearances as Appearances, condition, signal)));
    if (view === undefined) return;
    const isChanged = view === "changed";
    if (condition === "phone" && opens) phoneControls = isChanged ? await within(left(), countNewControls()) : 0;
    const unexamined = (await within(left(), world.call(areCoversComplete))) ? [] : ids.filter((id) => COVER_RULES.includes(id));
    const partial = [...unexamined, ...(isChanged ? await judge(condition, ids, left) : [])];
    if (!isChanged && condition !== "dark") passed.push(...ids.filter((id) => !unexamined.includes(id)));
    for (const id of ids) unfinished.delete(id);
    for (const id of partial) unfinished.add(id);
    if (isOfSize(condition)) await runAgain(condition, view, left);
  }

  async function countNewControls(): Promise<number> {
    const hasNew = (await world.call(hasNewlyShown)) || (await world.call(hasRecreatedControls));
    return hasNew ? countPhoneControls(world) : 0;
  }

  async function isWorthTurning(): Promise<boolean> {
    if (!asked.some(({ condition }) => isHeld(condition))) return false;
    if (page.findings.violations.some(({ ruleId }) => ORIENTATION_RULES.includes(ruleId))) return false;
    return looksAtOrientation(tab.session, world);
  }

  /**
   * Shows the page on a phone in portrait, then in landscape orientation, and once more in the orientation that seems wrong.
   * @returns same as `look`
   */
  async function turn({ show }: Appearances, signal: AbortSignal): Promise<View | undefined> {
    const views: Partial<Record<Orientation, OrientationView>> = {};
    const view = async (orientation: Orientation): Promise<boolean> => {
      await show(orientation);
      signal.throwIfAborted();
      if (!(await rest(orientation))) return false;
      views[orientation] = await world.call(noteOrientation, orientation, TURN_REQUEST);
      signal.throwIfAborted();
      return true;
    };
    const judgeViews = () => judgeOrientations(views as Record<Orientation, OrientationView>);
    for (const orientation of ORIENTATIONS) if (!(await view(orientation))) return undefined;
    const first = judgeViews();
    // A page that changes by itself may have done so for another reason.
    if (first && !(await view(first.orientation))) return undefined;
    const verdict = first && judgeViews();
    const isSame = verdict !== undefined && verdict.orientation === first?.orientation;
    held = isSame ? verdict.orientation : undefined;
    await world.call(keepOrientation, isSame ? verdict : null);
    signal.throwIfAborted();
    return isSame ? "changed" : "same";
  }

  /**
   * Shows the page in the condition, and keeps its facts. It stays there, unless nothing has changed.
   * @returns undefined if the page does not come to rest
   */
  async function look({ show, showUsual }: Appearances, condition: Exclude<Appearance, Orientation>, signal: AbortSignal): Promise<View | undefined> {
    const { note, isSeen, confirm, repeat } = CHANGES[condition];
    const step = async <Value>(task: Promise<Value>): Promise<Value> => {
      const value = await task;
      signal.throwIfAborted();
      return value;
    };
    await step(show(condition));
    if (!(await step(rest(condition)))) return undefined;
    if (isOfSize(condition) && colors.ids.length > 0 && !(await step(world.call(awaitColors, COLORS_WITHIN_MS)))) restless.add(condition);
    if (isOfSize(condition) && layout.ids.length > 0 && (await step(world.call(hasOtherPlaces)))) moved.add(condition);
    const unchanged = moved.has(condition) ? "moved" : "same";
    await step(note(world, condition));
    if (!(await step(isSeen(world)))) return unchanged;
    await step(showUsual());
    if (!(await step(rest(condition, sizeIn())))) return undefined;
    await step(confirm(world));
    const view = (await step(isSeen(world))) ? "changed" : unchanged;
    if (view === "same") return view;
    await step(show(condition));
    if (!(await step(rest(condition)))) return undefined;
    if (view !== "changed" || !repeat) return view;
    await step(repeat(world));
    return (await step(isSeen(world))) ? view : unchanged;
  }

  function rest(condition: Appearance, size = sizeIn(condition)): Promise<boolean> {
    return restIn(condition, tab, world, isListening, size);
  }

  /** @returns ids of the unfinished rules */
  async function judge(condition: Appearance, ids: string[], left: () => number): Promise<string[]> {
    const showsMore = (condition === "phone" || condition === "dark") && judgesShown && (await within(left(), world.call(hasNewlyShown)));
    const unjudged = showsMore ? await judgeShown(condition, left) : [];
    return [...unjudged, ...(await judgeOwn(condition, ids, left))];
  }

  /** Runs the rules of the condition. @returns ids of the unfinished rules */
  async function judgeOwn(condition: Appearance, ids: string[], left: () => number): Promise<string[]> {
    if (condition === "dark") {
      if (ids.length === 0 || !(await within(left(), world.call(hasNewColors)))) return [];
      // Otherwise axe-core assumes a white page.
      if (await within(left(), world.call(isOnCanvas))) await appearances?.paintCanvas();
      return judgeChanged(tab, world, page, { condition, standard, pictures, ids, left });
    }
    if (ids.length === 0) return [];
    const { findings, partial } = await judgeAgain(world, page, { standard, pictures, ids, rulesMs: left() * (1 - SHARE_FOR_PICTURES), reportedMs: left(), picturesMs: left });
    if (isHeld(condition) && held) nameCondition(findings, held);
    return partial;
  }

  /** Runs the rules that need no condition on content that is visible only in this one. @returns ids of the unfinished rules */
  async function judgeShown(condition: Appearance, left: () => number): Promise<string[]> {
    const { findings, partial, firstShown } = await within(left(), analyseAppeared(world, "shown", standard, rules, left() * SHARE_FOR_SHOWN));
    const seen = { findings, partial };
    await measureContrast(world, seen, tab.network.failedImages(), left() * SHARE_FOR_CONTRAST);
    if (pictures && seen.findings.violations.length + seen.findings.incomplete.length > 0) await takePictures(world, seen.findings, left() * SHARE_FOR_PICTURES, { firstShown });
    addFindings(page, seen.findings, condition);
    return seen.partial;
  }

  /** Runs the rules again whose colours or layout a narrower window changes. */
  async function runAgain(condition: Appearance, view: View, left: () => number): Promise<void> {
    const hasOtherColors = view === "changed" && (await within(left(), world.call(hasNewColors)));
    const isRestless = restless.has(condition) || (hasOtherColors && !(await within(left(), world.call(awaitColors, COLORS_WITHIN_MS))));
    const ids = [...(hasOtherColors && !isRestless ? colors.ids : []), ...(moved.has(condition) ? layout.ids : [])];
    const partial = ids.length === 0 ? [] : await judgeChanged(tab, world, page, { condition, standard, pictures, ids, left });
    if (!isRestless && !colors.ids.some((id) => partial.includes(id))) colors.missing.delete(condition);
    if (!layout.ids.some((id) => partial.includes(id))) layout.missing.delete(condition);
  }

  async function goBack({ showUsual }: Appearances): Promise<void> {
    await Promise.all([showUsual(), world.call(clearFacts)]);
  }
}

const isHeld = (condition: Appearance): condition is Orientation => condition === "portrait" || condition === "landscape";

function nameCondition(findings: CheckedPage["findings"], condition: Appearance): void {
  for (const finding of CATEGORIES.flatMap((category) => findings[category])) {
    finding.conditions = [condition];
    for (const element of finding.elements) element.conditions = [condition];
  }
}

/** Runs inside the page. */
const hasBody = (): boolean => document.body !== null;
