import { OutOfTime, within } from "~/platform/async/deadline";
import { openAppearances, type Appearances } from "~/scan/conditions/condition";
import { addUsual } from "~/scan/conditions/shown-facts";
import { listensToSize } from "~/scan/conditions/size-listeners";
import { findOpeners } from "~/scan/interaction/opening/bare-openers";
import type { CutConnection } from "~/scan/interaction/cut-connection";
import { countOpenedForms } from "~/scan/interaction/opened-forms";
import { pressKey } from "~/scan/interaction/press-key";
import { defineSight } from "~/scan/interaction/sight";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { isSilenced, stopIfHanging } from "~/scan/page/stop-scripts";
import type { Tab } from "~/scan/page/tab";
import type { CheckedPage, PageRequest } from "~/scan/types";
import { addPartial } from "~/scan/visit/judge-again";
import { restIn, RESTS_WITHIN_MS } from "~/scan/visit/rest-in";
import { keysOnPhone, pressKeys, withOpenedWidgets, type KeysToPress } from "./press-keys";
import { tryControls } from "./try-controls";
import { tryOpenedForms } from "./try-opened-forms";

/** Maximum number of used controls that exist only on a phone, and of one kind. */
const MOST_CONTROLS = 4;
const MOST_ALIKE = 2;
/** Time without which nothing is opened. */
const LEAST_MS = 2_500;
const TRIED_WITHIN_MS = 7_000;
const COUNTED_WITHIN_MS = 500;
/** Share of the remaining time for widgets in opened content, if there are forms as well. */
const SHARE_FOR_WIDGETS = 0.6;
const FOUND_WITHIN_MS = 1_000;
const BACK_WITHIN_MS = 1_000;

interface TryOptions extends Pick<PageRequest, "standard" | "rules" | "pictures"> {
  /** Time in ms. */
  budgetMs: number;
}

interface PhoneControls {
  /** Number of controls that were seen on a phone (`countPhoneControls`). */
  seen: number;
  /** Ids of the rules about opening, and of those about forms. */
  ruleIds: string[];
  formRuleIds: string[];
  keys: KeysToPress;
}

/** @returns number of controls that may open something and exist only on a phone; the page must be shown there */
export async function countPhoneControls(world: IsolatedWorld): Promise<number> {
  return (await findOpeners(world, MOST_CONTROLS, MOST_ALIKE, true)).all;
}

/**
 * Shows a page on a phone once more, and uses the controls that exist only there, such as the button of a menu, like those of the desktop
 * (`tryControls`), then the widgets and forms that these show. Other sizes may create the page's content anew, so nothing may follow. Never fails.
 * @param connection undefined if it could not be cut: then nothing is opened
 * @param page page whose results are changed
 */
export async function tryPhoneControls(
  tab: Tab,
  world: IsolatedWorld,
  connection: CutConnection | undefined,
  { seen, ruleIds, formRuleIds, keys }: PhoneControls,
  page: CheckedPage,
  { budgetMs, ...options }: TryOptions,
): Promise<void> {
  const until = performance.now() + budgetMs;
  const end = performance.now() + Math.min(TRIED_WITHIN_MS, budgetMs);
  const left = () => Math.max(0, end - performance.now());
  let appearances: Appearances | undefined;
  const found = await show().catch((error: unknown) => stopIfHanging(tab.session, error).catch(() => {}));
  // Forms may have replaced the page meanwhile.
  if (!found || found.kept === 0) {
    addPartial(page, ruleIds);
    page.gaps.unopened = (page.gaps.unopened ?? 0) + seen;
  } else {
    const phoneKeys = await keysOnPhone(world, keys);
    await tryControls(tab, world, connection, { count: found.kept, all: found.all, bare: found.bare, ruleIds }, page, { ...options, budgetMs: left(), isOnPhone: true });
    await tryContent(phoneKeys);
  }
  if (appearances) await within(BACK_WITHIN_MS, Promise.all([appearances.showUsual(), appearances.close()])).catch(() => {});

  /** @returns same as `findOpeners` */
  async function show(): Promise<Awaited<ReturnType<typeof findOpeners>>> {
    if (!connection || isSilenced(tab.session) || left() < LEAST_MS) throw new OutOfTime("the page cannot be used");
    appearances = await within(FOUND_WITHIN_MS, openAppearances(world));
    // Opened content may be in front of everything else.
    await within(FOUND_WITHIN_MS, pressKey(world.session, "Escape"));
    await within(FOUND_WITHIN_MS, world.session.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: 0, y: 0 }));
    await within(FOUND_WITHIN_MS, world.call(defineSight));
    await within(FOUND_WITHIN_MS, world.call(addUsual));
    const isListening = await within(FOUND_WITHIN_MS, listensToSize(tab.session));
    await within(FOUND_WITHIN_MS, appearances.show("phone"));
    if (!(await within(Math.min(RESTS_WITHIN_MS, left()), restIn("phone", tab, world, isListening)))) throw new OutOfTime("the page does not get the size");
    return within(FOUND_WITHIN_MS, findOpeners(world, MOST_CONTROLS, MOST_ALIKE, true));
  }

  /** Tries the widgets and forms that the controls show, each behind its control. */
  async function tryContent(phoneKeys: KeysToPress): Promise<void> {
    const remaining = () => Math.max(0, until - performance.now());
    const opened = await withOpenedWidgets(world, phoneKeys);
    const ids = opened.count === undefined ? opened.ruleIds : [...new Set([...opened.triedIds, ...opened.beyondIds])];
    if (opened.count === 0) {
      addPartial(page, ids);
    } else {
      const forms = formRuleIds.length === 0 ? 0 : await within(COUNTED_WITHIN_MS, world.call(countOpenedForms)).catch(() => 1);
      await pressKeys(tab, world, connection, { ...opened, ruleIds: ids }, page, { ...options, budgetMs: remaining() * (forms > 0 ? SHARE_FOR_WIDGETS : 1), isOnPhone: true });
    }
    await tryOpenedForms(tab, world, connection, formRuleIds, page, { ...options, budgetMs: remaining(), isOnPhone: true });
  }
}
