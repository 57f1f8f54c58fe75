import { OutOfTime, within, withinSignal } from "~/platform/async/deadline";
import type { CutConnection } from "~/scan/interaction/cut-connection";
import { findChoices, TYPED } from "~/scan/interaction/keys/choices";
import { findTriggers } from "~/scan/interaction/hover/find-triggers";
import { tryFocus } from "~/scan/interaction/hover/try-focus";
import { defineEffects } from "~/scan/interaction/keys/effects";
import { findSkipLinks } from "~/scan/interaction/keys/skip-links";
import { listensToKeys, tryCharacters } from "~/scan/interaction/keys/try-characters";
import type { Widget } from "~/scan/interaction/keys/trials";
import { tryChoices } from "~/scan/interaction/keys/try-choices";
import { trySkipLinks } from "~/scan/interaction/keys/try-skip-links";
import { tryWidgets } from "~/scan/interaction/keys/try-widgets";
import { countOpenedWidgets, forgetWidgets } from "~/scan/interaction/keys/opened-widgets";
import { findWidgets } from "~/scan/interaction/keys/widgets";
import { defineSight } from "~/scan/interaction/sight";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { isSilenced, stopIfHanging } from "~/scan/page/stop-scripts";
import type { Tab } from "~/scan/page/tab";
import { choiceLeaves } from "~/scan/rules/rampe/forms/choice-leaves";
import { activationKeys } from "~/scan/rules/rampe/keyboard/activation-keys";
import { singleKey } from "~/scan/rules/rampe/keyboard/single-key";
import { widgetKeys } from "~/scan/rules/rampe/keyboard/widget-keys";
import { focusContent } from "~/scan/rules/rampe/opening/focus-content";
import { skipLinkUse } from "~/scan/rules/rampe/navigation/skip-link-use";
import type { CheckedPage, PageRequest } from "~/scan/types";
import { addPartial, judgeAgain } from "~/scan/visit/judge-again";
import { nameOpeners } from "./name-openers";
import { withdrawQuestions } from "~/scan/visit/withdraw-questions";

/** Maximum number of used widgets of one page, and of one kind. */
const MOST_WIDGETS = 16;
const MOST_ALIKE = 2;
/** Maximum number of skip links. */
const MOST_SKIP_LINKS = 2;
/** Maximum number of elements that are focused because they may show something. */
const MOST_FOCUSED = 6;
/** Maximum number of lists, radio buttons, checkboxes and text fields whose value is changed. */
const MOST_CHOICES = 6;
const FOUND_WITHIN_MS = 2_000;
const PRESSED_WITHIN_MS = 9_000;
/** Shares of the time. */
const SHARE_TO_PRESS = 0.6;
/** Share of that time in which widgets may be started; the rest is for the last one. */
const SHARE_TO_BEGIN = 0.6;
/** The same for widgets in opened content, which are the last step. */
const SHARE_TO_BEGIN_OPENED = 0.8;
/** Shares of the time for the steps before the widgets. */
const SHARE_TO_FOCUS = 0.15;
const SHARE_FOR_CHOICES = 0.15;
const SHARE_FOR_RULES = 0.15;
/** Time for single characters, enough for most pages. */
const CHARACTERS_MS = 1_500;
/** Time for the report after the rules. */
const REPORT_WITHIN_MS = 2_000;
const PICTURES_WITHIN_MS = 500;

interface PressOptions extends Pick<PageRequest, "standard" | "pictures"> {
  /** Time in ms. */
  budgetMs: number;
  /** The page is shown on a phone: the findings are in that condition. */
  isOnPhone?: boolean;
}

export interface KeysToPress {
  /** Number of all elements to try; undefined if the page did not answer. */
  count: number | undefined;
  found: { widgets: number; skipLinks: number; choices: number; focused: number; listens: boolean; opened: number };
  /** Numbers of elements beyond the limits. */
  overLimit: { widgets: number; choices: number; focused: number };
  /** Ids of the rules for which something in opened content is not tried. */
  beyondIds: string[];
  /** Ids of the rules with something to try. */
  triedIds: string[];
  /** Ids of the rules about keys. */
  ruleIds: string[];
}

/** Kinds of widgets that each rule needs. */
const WIDGET_KINDS: { id: string; kinds: Widget["kind"][] }[] = [
  { id: activationKeys.id, kinds: ["activation", "items"] },
  { id: widgetKeys.id, kinds: ["items", "value"] },
];

const rulesOf = (kinds: Widget["kind"][], ruleIds: string[]) => WIDGET_KINDS.filter((each) => ruleIds.includes(each.id) && each.kinds.some((kind) => kinds.includes(kind))).map(({ id }) => id);

const NOTHING = { widgets: 0, skipLinks: 0, choices: 0, focused: 0, listens: false, opened: 0 };
const NONE_OVER = { widgets: 0, choices: 0, focused: 0 };

/** Finds the elements to try for the rules about keys. Never fails. */
export async function keysToPress(world: IsolatedWorld, ruleIds: string[]): Promise<KeysToPress> {
  if (ruleIds.length === 0) return { count: 0, found: NOTHING, overLimit: NONE_OVER, beyondIds: [], triedIds: [], ruleIds };
  const found = await within(FOUND_WITHIN_MS, find()).catch(() => undefined);
  return found ?? { count: undefined, found: NOTHING, overLimit: NONE_OVER, beyondIds: [], triedIds: ruleIds, ruleIds };

  async function find(): Promise<KeysToPress> {
    const kinds = WIDGET_KINDS.filter(({ id }) => ruleIds.includes(id)).flatMap((each) => each.kinds);
    const { kept: widgets, more: moreWidgets, kinds: foundKinds } = await world.call(findWidgets, kinds, MOST_WIDGETS, MOST_ALIKE);
    const skipLinks = ruleIds.includes(skipLinkUse.id) ? await world.call(findSkipLinks, MOST_SKIP_LINKS) : 0;
    const choices = ruleIds.includes(choiceLeaves.id) ? await world.call(findChoices, MOST_CHOICES, TYPED) : { kept: 0, more: 0 };
    const focused = ruleIds.includes(focusContent.id) ? await findFocused() : { kept: 0, more: 0 };
    const listens = ruleIds.includes(singleKey.id) && (await listensToKeys(world.session));
    const triedIds = [
      ...(skipLinks > 0 ? [skipLinkUse.id] : []),
      ...(focused.kept > 0 ? [focusContent.id] : []),
      ...(choices.kept > 0 ? [choiceLeaves.id] : []),
      ...(listens ? [singleKey.id] : []),
      ...rulesOf(foundKinds, ruleIds),
    ];
    const count = widgets + skipLinks + choices.kept + focused.kept + Number(listens);
    const overLimit = { widgets: moreWidgets, choices: choices.more, focused: focused.more };
    return { count, found: { widgets, skipLinks, choices: choices.kept, focused: focused.kept, listens, opened: 0 }, overLimit, beyondIds: [], triedIds, ruleIds };
  }

  async function findFocused() {
    await world.call(defineSight);
    return world.call(findTriggers, MOST_FOCUSED, MOST_ALIKE, "focus");
  }
}

/** Forgets the widgets of the desktop, which were tried: only those that are opened from now on are tried. Never fails. */
export async function keysOnPhone(world: IsolatedWorld, { count, ruleIds }: KeysToPress): Promise<KeysToPress> {
  const ids = ruleIds.filter((id) => WIDGET_KINDS.some((each) => each.id === id));
  const isFresh = count !== undefined && (await within(FOUND_WITHIN_MS, world.call(forgetWidgets)).then(() => true, () => false));
  return { count: isFresh ? 0 : undefined, found: NOTHING, overLimit: NONE_OVER, beyondIds: [], triedIds: [], ruleIds: ids };
}

/** Adds the widgets in content that was opened since (`noteOpenedWidgets`). Never fails. */
export async function withOpenedWidgets(world: IsolatedWorld, keys: KeysToPress): Promise<KeysToPress> {
  const { count, found, triedIds, ruleIds } = keys;
  if (count === undefined || !WIDGET_KINDS.some(({ id }) => ruleIds.includes(id))) return keys;
  const opened = await within(FOUND_WITHIN_MS, world.call(countOpenedWidgets)).catch(() => ({ kept: 0, kinds: [], beyond: [], open: 0 }));
  const tried = new Set([...triedIds, ...rulesOf(opened.kinds, ruleIds)]);
  // A menu that stays open needs no key any more, but the rules.
  return { ...keys, count: count + opened.kept + opened.open, found: { ...found, opened: opened.kept }, beyondIds: rulesOf(opened.beyond, ruleIds), triedIds: [...tried] };
}

/**
 * Tries the keys that the parts of an analysed page promise, and adds the findings of the rules about them. Rules with missing tests are
 * named in `partial`. Never fails.
 * @param connection undefined if it could not be cut: then no key is pressed
 * @param world isolated world of the analysis
 * @param page page whose results are changed
 */
export async function pressKeys(tab: Tab, world: IsolatedWorld, connection: CutConnection | undefined, { count, found, overLimit, beyondIds, triedIds, ruleIds: ids }: KeysToPress, page: CheckedPage, { standard, pictures, budgetMs, isOnPhone = false }: PressOptions): Promise<void> {
  let unfinished = ids;
  /** Ids of rules for which some elements were not tried. */
  const untried = new Set(triedIds);
  const ms = Math.min(PRESSED_WITHIN_MS, budgetMs * SHARE_TO_PRESS);
  try {
    if (!connection || count === undefined || isSilenced(tab.session)) throw new OutOfTime("the page cannot be used");
    // Observations before a script hangs can be judged.
    await withinSignal(ms, (signal) => tryPage(connection, signal)).catch((error: unknown) => stopIfHanging(tab.session, error));
    const rulesMs = budgetMs * SHARE_FOR_RULES;
    const { partial } = await judgeAgain(world, page, { standard, pictures, ids, rulesMs, reportedMs: rulesMs + REPORT_WITHIN_MS, picturesMs: () => PICTURES_WITHIN_MS, condition: isOnPhone ? "phone" : undefined });
    unfinished = [...untried, ...beyondIds, ...partial];
    if (found.opened > 0) await within(FOUND_WITHIN_MS, nameOpeners(world, [...page.findings.violations, ...page.findings.incomplete].filter(({ ruleId }) => ids.includes(ruleId))));
    if (ids.includes(activationKeys.id) && !partial.includes(activationKeys.id)) await within(FOUND_WITHIN_MS, withdrawQuestions(world, page));
  } catch {
    // The page went away or hangs: its other results stay.
  }
  addPartial(page, unfinished);

  async function tryPage(cut: CutConnection, signal: AbortSignal): Promise<void> {
    const { session } = world;
    const begun = performance.now();
    const beginBefore = begun + ms * SHARE_TO_BEGIN;
    let [windows, dialogs] = [0, 0];
    const onWindow = () => (windows += 1);
    const onDialog = () => (dialogs += 1);
    const asked = () => windows + dialogs;
    session.on("Page.windowOpen", onWindow);
    session.on("Page.javascriptDialogOpening", onDialog);
    try {
      // Without this, a tab in the background has no focus.
      await session.send("Emulation.setFocusEmulationEnabled", { enabled: true });
      await world.call(defineSight);
      await world.call(defineEffects);
      if ((await trySkipLinks(world, found.skipLinks, signal)) === 0) untried.delete(skipLinkUse.id);
      const skipped = await tryWidgets(world, cut, { from: 0, to: found.widgets, areOpened: false, asked, budgetMs: beginBefore - performance.now(), signal });
      if (found.opened === 0) endWidgets(skipped);
      const unfocused = await tryFocus(world, cut, found.focused, { budgetMs: ms * SHARE_TO_FOCUS, signal });
      if (unfocused + overLimit.focused === 0) untried.delete(focusContent.id);
      const unchanged = await tryChoices(world, cut, found.choices, { windows: () => windows, budgetMs: ms * SHARE_FOR_CHOICES, signal });
      if (unchanged + overLimit.choices === 0) untried.delete(choiceLeaves.id);
      // One of the last steps: content opened by a shortcut may cover everything else.
      const hasTime = begun + ms - performance.now() > CHARACTERS_MS;
      if (found.listens && hasTime && (await tryCharacters(world, cut, asked, signal))) untried.delete(singleKey.id);
      if (found.opened > 0) {
        const opened = { from: found.widgets, to: found.widgets + found.opened, areOpened: true };
        endWidgets(skipped + (await tryWidgets(world, cut, { ...opened, asked, budgetMs: begun + ms * SHARE_TO_BEGIN_OPENED - performance.now(), signal })));
      }
    } finally {
      session.off("Page.windowOpen", onWindow);
      session.off("Page.javascriptDialogOpening", onDialog);
    }
  }

  function endWidgets(skipped: number): void {
    if (skipped + overLimit.widgets === 0) for (const { id } of [activationKeys, widgetKeys]) untried.delete(id);
  }
}
