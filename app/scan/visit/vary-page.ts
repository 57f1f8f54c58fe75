import { within, withinSignal } from "~/platform/async/deadline";
import { awaitColors, confirmColors, hasNewColors, isOnCanvas, noteColors, rememberColors } from "~/scan/conditions/color-facts";
import { hasFixedBars, noteFixedBars } from "~/scan/conditions/fixed-bars";
import { confirmDrawings, hasLostDrawings, noteDrawings, rememberDrawings } from "~/scan/conditions/drawing-facts";
import { movesWhenScrolled } from "~/scan/conditions/motion-facts";
import { isAsWideAsDevice, openAppearances, sizeIn, type Appearance, type Appearances } from "~/scan/conditions/condition";
import { confirmShown, hasNewlyShown, hasRecreatedControls, noteShown, rememberShown } from "~/scan/conditions/shown-facts";
import { clearFacts, confirmFacts, hasFacts, noteLayout, rememberLayout } from "~/scan/conditions/layout-facts";
import { judgeOrientations, ORIENTATIONS, TURN_REQUEST, type Orientation, type OrientationView } from "~/scan/conditions/orientation";
import { forgetOrientation, keepOrientation, looksAtOrientation, noteOrientation } from "~/scan/conditions/orientation-facts";
import { defineMeasures, LOSS } from "~/scan/conditions/measures";
import { listensToSize } from "~/scan/conditions/size-listeners";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { stopIfHanging } from "~/scan/page/stop-scripts";
import type { Tab } from "~/scan/page/tab";
import { defineSight } from "~/scan/interaction/sight";
import { analyseAppeared, rulesInConditions, rulesOfColors } from "~/scan/rules/analysis";
import { measureContrast } from "~/scan/rules/rampe/color/measure-contrast";
import { CONDITION_OF } from "~/scan/rules/rampe/index";
import { CATEGORIES, type CheckedPage, type PageRequest } from "~/scan/types";
import { addFindings } from "./add-findings";
import { countPhoneControls } from "./operate/try-phone-controls";
import { addPartial, judgeAgain } from "./judge-again";
import { judgeColors } from "./judge-colors";
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
}

const LAYOUT: Change = {
  note: (world, condition) => world.call(noteLayout, condition, LOSS),
  isSeen: (world) => world.call(hasFacts),
  confirm: (world) => world.call(confirmFacts),
};
/** Maximum share of the height of a narrow screen that bars may cover. */
const MOST_COVERED_PERCENT = 50;
/** Changes on a phone: also content that is visible only there, such as a menu button, and bars that leave little space. */
const PHONE: Change = {
  note: async (world, condition) => void (await Promise.all([LAYOUT.note(world, condition), world.call(noteShown), world.call(noteFixedBars, MOST_COVERED_PERCENT)])),
  isSeen: async (world) => (await LAYOUT.isSeen(world)) || (await world.call(hasFixedBars)) || (await world.call(hasNewlyShown)) || world.call(hasRecreatedControls),
  confirm: async (world) => void (await Promise.all([LAYOUT.confirm(world), world.call(confirmShown)])),
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
/** Both changes together. */
const either = (one: Change, other: Change): Change => ({
  note: async (world, condition) => void (await Promise.all([one.note(world, condition), other.note(world, condition)])),
  isSeen: async (world) => (await one.isSeen(world)) || other.isSeen(world),
  confirm: async (world) => void (await Promise.all([one.confirm(world), other.confirm(world)])),
});
const MOTION: Change = {
  note: async () => {},
  isSeen: (world) => world.call(movesWhenScrolled),
  confirm: async () => {},
};
const CHANGES: Record<Exclude<Appearance, Orientation>, Change> = { "text-spacing": LAYOUT, "reduced-motion": MOTION, dark: COLORS, "forced-colors": DRAWINGS, "zoom-200": either(LAYOUT, COLORS), "text-200": LAYOUT, phone: either(PHONE, COLORS) };

/** Conditions with a narrower window, in which styles may give other colours. */
const isOfSize = (condition: Appearance): boolean => condition === "zoom-200" || condition === "phone";

/** Rules that read the same from style sheets as `rampe-turned-device` tests; if they have failed, it need not run. */
const ORIENTATION_RULES = ["rampe-orientation-lock", "rampe-orientation-message", "css-orientation-lock"];

/**
 * Shows an analysed page in other conditions, and adds the findings of the rules for them; if the colours change, also the findings of
 * rules about colours. Rules with missing tests are named in `partial`. Afterwards the page is shown as before. Never fails.
 * @param world isolated world of the analysis
 * @param page page whose results are changed
 */
export async function varyPage(tab: Tab, world: IsolatedWorld, page: CheckedPage, { standard, rules, pictures, budgetMs }: VaryOptions): Promise<Varied> {
  const rulesIn = (condition: Appearance) => (condition === "dark" ? rulesOfColors(page.findings) : rulesInConditions(standard, rules, [condition]));
  // Content that appears on a phone is judged by rules that need no condition.
  const judgesShown = rules?.only === undefined || rules.only.some((id) => !CONDITION_OF.has(id));
  const opens = judgesShown || rulesInConditions(standard, rules, ["opened"]).length > 0;
  const colorRules = rulesOfColors(page.findings);
  const isAsked = (condition: Appearance, ids: string[]) => ids.length > 0 || (condition === "phone" && opens) || (isOfSize(condition) && colorRules.length > 0);
  const asked = APPEARANCES.map((condition) => ({ condition, ids: rulesIn(condition) })).filter(({ condition, ids }) => isAsked(condition, ids));
  if (asked.length === 0) return { passed: [], phoneControls: 0 };
  // SVG documents have no body, whose text could change its layout.
  if (!(await within(BACK_WITHIN_MS, world.call(hasBody)).catch(() => true))) return { passed: rulesInConditions(standard, rules, APPEARANCES), phoneControls: 0 };
  const unfinished = new Set(asked.flatMap(({ ids }) => ids));
  /** Narrower windows in which colours are still to be compared, or could not be judged. */
  const withoutColors = new Set(asked.map(({ condition }) => condition).filter((condition) => isOfSize(condition) && colorRules.length > 0));
  /** Those in which colours keep changing. */
  const restless = new Set<Appearance>();
  const passed: string[] = [];
  let appearances: Appearances | undefined;
  let held: Orientation | undefined;
  let phoneControls: number | undefined;
  let isListening = true;
  const until = performance.now() + budgetMs;
  /** Time for a condition: unused time is left to the following ones. */
  const share = (conditions: number) => Math.min(MOST_MS, (until - performance.now()) / conditions);
  try {
    appearances = await within(share(asked.length), openAppearances(tab.session, tab.mainFrameId));
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
  addPartial(page, [...unfinished, ...(withoutColors.size > 0 ? colorRules : [])]);
  return { passed, phoneControls };

  /** @returns whether there is anything that forced colours can make invisible */
  async function measureBefore(): Promise<boolean> {
    await world.call(defineMeasures, LOSS);
    await world.call(rememberLayout);
    await world.call(rememberColors);
    await world.call(defineSight);
    await world.call(rememberShown);
    await world.call(forgetOrientation);
    return world.call(rememberDrawings);
  }

  async function tryCondition(condition: Appearance, ids: string[], left: () => number): Promise<void> {
    const isChanged = await withinSignal(left(), (signal) => (isHeld(condition) ? turn(appearances as Appearances, signal) : look(appearances as Appearances, condition, signal)));
    if (condition === "phone" && opens && isChanged !== undefined) phoneControls = isChanged ? await within(left(), countNewControls()) : 0;
    const partial = isChanged === undefined ? ids : isChanged ? await judge(condition, ids, left) : [];
    if (isChanged === false && condition !== "dark") passed.push(...ids);
    for (const id of ids) if (!partial.includes(id)) unfinished.delete(id);
    if (isChanged === undefined || restless.has(condition) || !withoutColors.has(condition)) return;
    if (!isChanged || (await judgeChangedColors(condition, left))) withoutColors.delete(condition);
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
  async function turn({ show }: Appearances, signal: AbortSignal): Promise<boolean | undefined> {
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
    return isSame;
  }

  /**
   * Shows the page in the condition, and keeps its facts.
   * @returns whether there is anything to judge; undefined if the page does not come to rest
   */
  async function look({ show, showUsual }: Appearances, condition: Exclude<Appearance, Orientation>, signal: AbortSignal): Promise<boolean | undefined> {
    const { note, isSeen, confirm } = CHANGES[condition];
    const step = async <Value>(task: Promise<Value>): Promise<Value> => {
      const value = await task;
      signal.throwIfAborted();
      return value;
    };
    await step(show(condition));
    if (!(await step(rest(condition)))) return undefined;
    if (withoutColors.has(condition) && !(await step(world.call(awaitColors, COLORS_WITHIN_MS)))) restless.add(condition);
    await step(note(world, condition));
    if (!(await step(isSeen(world)))) return false;
    await step(showUsual());
    if (!(await step(rest(condition, sizeIn())))) return undefined;
    await step(confirm(world));
    if (!(await step(isSeen(world)))) return false;
    await step(show(condition));
    return (await step(rest(condition))) || undefined;
  }

  function rest(condition: Appearance, size = sizeIn(condition)): Promise<boolean> {
    return restIn(condition, tab, world, isListening, size);
  }

  /** @returns ids of the unfinished rules */
  async function judge(condition: Appearance, ids: string[], left: () => number): Promise<string[]> {
    if (condition === "dark") {
      // Otherwise axe-core assumes a white page.
      if (await world.call(isOnCanvas)) await appearances?.paintCanvas();
      return judgeColors(tab, world, page, { condition, standard, pictures, ids, left });
    }
    if (condition === "phone" && judgesShown && (await world.call(hasNewlyShown))) await judgeShown(condition, left);
    if (ids.length === 0) return [];
    const { findings, partial } = await judgeAgain(world, page, { standard, pictures, ids, rulesMs: left() * (1 - SHARE_FOR_PICTURES), reportedMs: left(), picturesMs: left });
    if (isHeld(condition) && held) nameCondition(findings, held);
    return partial;
  }

  /** Runs the rules that need no condition on content that is visible only in this one. */
  async function judgeShown(condition: Appearance, left: () => number): Promise<void> {
    const { findings, partial, firstShown } = await within(left(), analyseAppeared(world, "shown", standard, rules, left() * SHARE_FOR_SHOWN));
    const seen = { findings, partial };
    await measureContrast(world, seen, tab.network.failedImages(), left() * SHARE_FOR_CONTRAST);
    if (pictures && seen.findings.violations.length + seen.findings.incomplete.length > 0) await takePictures(world, seen.findings, left() * SHARE_FOR_PICTURES, { firstShown });
    for (const id of seen.partial) unfinished.add(id);
    addFindings(page, seen.findings, condition);
  }

  /** Judges colours again that are different in a narrower window. @returns whether all of it was judged */
  async function judgeChangedColors(condition: Appearance, left: () => number): Promise<boolean> {
    if (!(await world.call(hasNewColors))) return true;
    if (!(await within(left(), world.call(awaitColors, COLORS_WITHIN_MS)))) return false;
    return (await judgeColors(tab, world, page, { condition, standard, pictures, ids: colorRules, left })).length === 0;
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
