import { OutOfTime, within, withinSignal } from "~/platform/async/deadline";
import type { CutConnection } from "~/scan/interaction/cut-connection";
import { pictureFocus, pictureHiddenFocus } from "~/scan/interaction/picture-focus";
import { defineSight } from "~/scan/interaction/sight";
import { chooseAllDialogs, chooseDialog, findStartDialog, forgetStartDialogs, isClosingUnknown, type FoundDialog } from "~/scan/interaction/start-dialog-log";
import { closeStartDialog, walkStartDialog } from "~/scan/interaction/start-dialogs";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { isSilenced, stopIfHanging } from "~/scan/page/stop-scripts";
import type { Tab } from "~/scan/page/tab";
import { analyseAppeared, analyseParts } from "~/scan/rules/analysis";
import { measureContrast } from "~/scan/rules/rampe/color/measure-contrast";
import { focusAppearance } from "~/scan/rules/rampe/keyboard/focus-appearance";
import { focusColorOnly } from "~/scan/rules/rampe/keyboard/focus-color-only";
import { focusRemoved } from "~/scan/rules/rampe/keyboard/focus-removed";
import { focusVisible } from "~/scan/rules/rampe/keyboard/focus-visible";
import { unseenFocus } from "~/scan/rules/rampe/keyboard/unseen-focus";
import { dialogClose } from "~/scan/rules/rampe/opening/dialog-close";
import { dialogFocus } from "~/scan/rules/rampe/opening/dialog-focus";
import { CATEGORIES, type Category, type CheckedPage, type FindingResult, type PageRequest } from "~/scan/types";
import { addElements, addFindings, isNewTo } from "~/scan/visit/add-findings";
import { addPartial } from "~/scan/visit/judge-again";
import { takePictures } from "~/scan/visit/pictures/take-pictures";
import { beyondPictures } from "./walk-page";

/** Maximum number of dialogs one after the other, such as one about cookies and one about a newsletter. */
const MOST_DIALOGS = 3;
const FOUND_WITHIN_MS = 1_000;
/** Time for all dialogs. */
const LEFT_WITHIN_MS = 12_000;
/** Shares of the time. */
const SHARE_TO_WALK = 0.2;
const SHARE_FOR_PICTURES = 0.25;
const SHARE_FOR_HIDDEN = 0.1;
const SHARE_FOR_RULES = 0.15;
const SHARE_TO_CLOSE = 0.4;
/** For the rules on content that appears: behind a modal dialog, it may be the whole page. */
const SHARE_FOR_APPEARED = 0.5;
const SHARE_FOR_EVIDENCE = 0.1;
/** Time after which each step ends itself, before the next one begins. */
const ENDS_WITHIN_MS = 500;

/** Rules of the walk that judge each element of a dialog by itself; the others judge the page as a whole, or what is behind a dialog. */
const OF_STOPS = [focusVisible, focusRemoved, focusColorOnly, focusAppearance, unseenFocus].map(({ id }) => id);
/** Those of them that need pictures. */
const PICTURED = [focusVisible, focusColorOnly, focusAppearance, unseenFocus].map(({ id }) => id);

interface LeaveOptions extends Pick<PageRequest, "standard" | "rules" | "pictures"> {
  /** Ids of the rules of use. */
  ruleIds: string[];
  /** Time in ms. */
  budgetMs: number;
}

/** Result of using the dialogs that were open when the page arrived. */
export interface LeftDialogs {
  /** Names of the closed dialogs; "" for one without a name. */
  closed: string[];
  /** A dialog is still open, and the keyboard does not get past it. */
  isBlocked: boolean;
  /** Findings in the dialogs: the same rules run again for the rest of the page. */
  findings: Record<Category, FindingResult[]>;
}

const none = (): LeftDialogs => ({ closed: [], isBlocked: false, findings: { violations: [], incomplete: [], passes: [], inapplicable: [] } });

/** Finds the dialog that keeps users from the page. Never fails. */
export async function dialogAtStart(world: IsolatedWorld): Promise<FoundDialog | undefined> {
  return (await within(FOUND_WITHIN_MS, find()).catch(() => null)) ?? undefined;

  async function find() {
    await world.call(defineSight);
    return world.call(findStartDialog);
  }
}

/**
 * Uses the dialogs that were open when the page arrived, one after the other: walks through each by keyboard, judges it, and closes it, so
 * that the page can be used as users have it then. Rules with missing tests are named in `partial`. Never fails.
 * @param connection undefined if it could not be cut: then nothing is used
 * @param first the dialog that was found
 * @param page page whose results are changed
 */
export async function leaveStartDialogs(
  tab: Tab,
  world: IsolatedWorld,
  connection: CutConnection | undefined,
  first: FoundDialog,
  page: CheckedPage,
  { standard, rules, pictures, ruleIds, budgetMs }: LeaveOptions,
): Promise<LeftDialogs> {
  const left = none();
  const ms = Math.min(LEFT_WITHIN_MS, budgetMs);
  const end = performance.now() + ms;
  const ofDialogs = asked([dialogFocus.id, dialogClose.id]);
  const ofStops = asked(OF_STOPS);
  const unfinished = new Set(ofDialogs);
  /** The last run of rules; it must not end during a later one. */
  let run: Promise<unknown> = Promise.resolve();
  try {
    if (!connection || isSilenced(tab.session)) throw new OutOfTime("the page cannot be used");
    if (await operateAll(connection)) for (const id of ofDialogs) unfinished.delete(id);
    // Without its scripts, the page does not behave as for users.
    if (isSilenced(tab.session)) for (const id of ruleIds) unfinished.add(id);
  } catch (error) {
    // The page went away or hangs: its other results stay.
    await stopIfHanging(tab.session, error).catch(() => {});
    await within(FOUND_WITHIN_MS, Promise.allSettled([run])).catch(() => {});
  }
  await within(FOUND_WITHIN_MS, world.call(forgetStartDialogs)).catch(() => {});
  addPartial(page, unfinished);
  return left;

  function asked(ids: string[]): string[] {
    return ids.filter((id) => ruleIds.includes(id));
  }

  function atMost(share: number): number {
    const remaining = end - performance.now();
    if (remaining <= 0) throw new OutOfTime("no time is left for dialogs");
    return Math.min(ms * share, remaining);
  }

  /** @returns whether all dialogs were examined to their end */
  async function operateAll(cut: CutConnection): Promise<boolean> {
    let found: FoundDialog | undefined = first;
    let isWhole = true;
    for (let dialogs = 0; found && dialogs < MOST_DIALOGS; dialogs += 1) {
      const { name, isCovering }: FoundDialog = found;
      const walked = await walk(cut, found, dialogs === 0);
      isWhole &&= walked.isWhole;
      // A banner that calls itself modal, beside which the page can be used.
      if (!isCovering && !walked.isHeld) break;
      const closing = await withinSignal(atMost(SHARE_TO_CLOSE), (signal) => closeStartDialog(tab, world, cut, signal));
      left.isBlocked = walked.isHeld;
      if (!closing) break;
      left.closed.push(name);
      // A dialog that stays open is walked through once more, with the page.
      addElements(left, walked.findings);
      for (const id of walked.unfinished) unfinished.add(id);
      if (closing.hasAppeared) await judgeAppeared(name);
      found = await dialogAtStart(world);
      left.isBlocked = found !== undefined;
    }
    if (!ofDialogs.includes(dialogClose.id)) return isWhole;
    await world.call(chooseAllDialogs);
    const { findings, partial } = await judge([dialogClose.id]);
    addElements(left, findings);
    return isWhole && partial.length === 0 && !(await world.call(isClosingUnknown));
  }

  /** Walks through a dialog by keyboard. Its own findings are kept, those of the walk are returned. */
  async function walk(cut: CutConnection, dialog: FoundDialog, isFirst: boolean) {
    const { isWhole, isHeld } = await withinSignal(atMost(SHARE_TO_WALK), (signal) => walkStartDialog(world, cut, dialog, isFirst, signal));
    const isPictured = asked(PICTURED).length > 0;
    const beyond = isPictured ? beyondPictures(await inTime(SHARE_FOR_PICTURES, (signal) => pictureFocus(world, signal, { alsoOutlined: ruleIds.includes(focusAppearance.id) }))) : [];
    const areHiddenPictured = !isPictured || (await inTime(SHARE_FOR_HIDDEN, (signal) => pictureHiddenFocus(world, signal, tab.network.hasLostStyles())));
    if (!(await world.call(chooseDialog))) return { isWhole: false, isHeld, findings: none().findings, unfinished: ofStops };
    const focus = asked([dialogFocus.id]);
    const ofDialog = await judge(focus);
    addElements(left, ofDialog.findings);
    const { findings, partial } = await judge(ofStops);
    const unseen = [...(isWhole ? [] : ofStops), ...beyond, ...(areHiddenPictured ? [] : [unseenFocus.id]), ...partial];
    return { isWhole: isWhole && ofDialog.partial.length === 0, isHeld, findings, unfinished: asked(unseen) };
  }

  async function judge(ids: string[]): Promise<Pick<CheckedPage, "findings" | "partial">> {
    if (ids.length === 0) return { findings: none().findings, partial: [] };
    const rulesMs = atMost(SHARE_FOR_RULES);
    const { findings, partial, firstShown } = await within(rulesMs + ENDS_WITHIN_MS, started(analyseParts(world, "dialog", standard, ids, rulesMs)));
    if (pictures && findings.violations.length + findings.incomplete.length > 0) await takePictures(world, findings, atMost(SHARE_FOR_EVIDENCE), { firstShown });
    return { findings, partial };
  }

  function started<Result>(running: Promise<Result>): Promise<Result> {
    run = running;
    return running;
  }

  /** Judges content that is shown, or no longer hidden from assistive technology, since a dialog was closed, like the page itself. */
  async function judgeAppeared(name: string): Promise<void> {
    const rulesMs = atMost(SHARE_FOR_APPEARED);
    const { findings: all, partial, firstShown } = await within(rulesMs + ENDS_WITHIN_MS, started(analyseAppeared(world, "dialog", standard, rules, rulesMs)));
    const isNew = isNewTo(page, all, { isOpened: true });
    const newOf = (findings: FindingResult[]) => {
      const fresh = findings.map((finding) => ({ ...finding, elements: finding.elements.filter(isNew) })).filter(({ elements }) => elements.length > 0);
      for (const finding of fresh) finding.elementCount = finding.elements.length;
      return fresh;
    };
    const findings = { violations: newOf(all.violations), incomplete: newOf(all.incomplete), passes: all.passes, inapplicable: all.inapplicable };
    for (const element of CATEGORIES.flatMap((category) => findings[category]).flatMap(({ elements }) => elements)) element.context = { ...element.context, closed: name };
    await measureContrast(world, { findings, partial }, tab.network.failedImages(), atMost(SHARE_FOR_EVIDENCE));
    if (pictures && findings.violations.length + findings.incomplete.length > 0) await takePictures(world, findings, atMost(SHARE_FOR_EVIDENCE), { firstShown, isWanted: isNew });
    addFindings(page, findings, "opened", { isOpened: true });
    for (const id of partial) unfinished.add(id);
  }

  /** @returns result of the work; false if the page does not answer */
  function inTime<Result>(share: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result | false> {
    const stepMs = atMost(share);
    return within<Result | false>(stepMs + ENDS_WITHIN_MS, work(AbortSignal.timeout(Math.round(stepMs)))).catch(() => false);
  }
}

/** Says in the page's walk which dialogs were closed before it, and that a dialog kept it from the page. @param page page whose results are changed */
export async function noteLeftDialogs(world: IsolatedWorld, page: CheckedPage, { closed, isBlocked }: LeftDialogs, walkIds: string[]): Promise<void> {
  const [first] = page.walk?.stops ?? [];
  if (first && closed.length > 0) first.closed = closed;
  // One that was closed may have come back during the walk.
  const isBehind = isBlocked || (closed.length > 0 && (await dialogAtStart(world)) !== undefined);
  await within(FOUND_WITHIN_MS, world.call(forgetStartDialogs)).catch(() => {});
  if (!isBehind) return;
  if (page.walk) page.walk.isWhole = false;
  addPartial(page, walkIds);
}
