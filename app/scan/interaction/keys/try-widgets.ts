import { setTimeout as pause } from "node:timers/promises";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import type { CutConnection } from "~/scan/interaction/cut-connection";
import type { OpeningKey } from "~/scan/interaction/opening/opening-log";
import { pressKey, type Key } from "~/scan/interaction/press-key";
import { pressOpener } from "~/scan/interaction/opening/press-opener";
import { activateItem } from "./activate-item";
import { closePopup } from "./close-popup";
import type { Effect } from "./effects";
import { ITEMS_OF_ROLE } from "./items-of-role";
import { isOpen } from "./closing";
import { focusOpener, isEntered, isReportable, isWidgetShown } from "./opened-widgets";
import type { ActivationKey } from "./trials";
import { walkItems } from "./walk-items";
import { effectOn, focusWidget, forgetEffects, hasOtherControls, hasSteps, noteTrial, pointOfWidget, readyWidget, unreachedItems, valueOf, type ReadyWidget } from "./widgets";

/** Time to find out whether a page moves by itself. */
const REST_MS = 150;
/** Time for a script to react; the longer time applies before a key counts as without effect. */
const REACTED_WITHIN_MS = 50;
const REACTED_LATE_WITHIN_MS = 300;
/** Time for tooltips below the pointer to appear; the longer time applies to a single click. */
const HOVERED_WITHIN_MS = 600;
const HOVERED_ONCE_WITHIN_MS = 1_000;
/** Extra time before the second click: a tooltip that looked like the effect of the first click has appeared by then. */
const HOVERED_LONGER_MS = 200;
/** Number of clicks, each after all keys, that must have an effect, as confirmation. */
const ROUNDS = 2;
const DRAGGED_PX = 40;
/** Time to notice a value that moves by itself; with the time of the keys, it is more than a second. */
const VALUE_RESTS_MS = 600;
const ARROWS: Key[] = ["ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"];
const MOVING: Key[] = [...ARROWS, "End", "Home"];
const BACK: Partial<Record<Key, Key>> = { ArrowDown: "ArrowUp", ArrowRight: "ArrowLeft", ArrowUp: "ArrowDown", ArrowLeft: "ArrowRight" };

export interface TryOptions {
  /** Range of the widgets (`findWidgets`, `noteOpenedWidgets`). */
  from: number;
  to: number;
  /** Other controls show these widgets. */
  areOpened: boolean;
  /** Number of windows and dialogs of the browser that the page has requested so far. */
  asked: () => number;
  /** Time in ms, after which no further widget is used. */
  budgetMs: number;
  /** Ends it at once. */
  signal: AbortSignal;
}

/**
 * Presses the keys promised by the roles of widgets, and keeps their effects in the page's world (`KeyTrials`); a pointer is used only
 * if no key had an effect. The page must be cut off from the network.
 * @returns number of skipped widgets, including those that are gone or covered by then
 */
export async function tryWidgets(world: IsolatedWorld, connection: CutConnection, { from, to, areOpened, asked, budgetMs, signal }: TryOptions): Promise<number> {
  const { session } = world;
  const end = performance.now() + budgetMs;
  let unreached = 0;
  for (let index = from; index < to; index += 1) {
    signal.throwIfAborted();
    if (performance.now() > end) return to - index + unreached;
    const isTried = areOpened ? await tryBehindOpener(index) : await tryShown(index, await ready(index));
    if (!isTried) unreached += 1;
  }
  return unreached;

  async function ready(index: number): Promise<ReadyWidget | "needless" | "unreached" | "closed"> {
    await movePointer({ x: 0, y: 0 });
    const widget = await world.call(readyWidget, index, REST_MS, ITEMS_OF_ROLE);
    connection.takeLeaving();
    return widget;
  }

  async function tryShown(index: number, widget: Awaited<ReturnType<typeof ready>>, openedBy?: OpeningKey): Promise<boolean> {
    if (typeof widget !== "string") await tryWidget(index, widget, openedBy);
    return widget !== "unreached" && widget !== "closed";
  }

  /** Tries a widget that another control shows, which is used first. @returns whether its result is known */
  async function tryBehindOpener(index: number): Promise<boolean> {
    let widget = await ready(index);
    const key = widget === "closed" ? await world.call(focusOpener, index) : undefined;
    if (key) {
      await pressOpener(world, key, signal);
      widget = await ready(index);
    }
    // Many menus get the focus only by an arrow key on their button.
    if (key && typeof widget !== "string" && !(await world.call(isEntered, index))) await sendKey("ArrowDown");
    const isTried = await tryShown(index, widget, key);
    if (await world.call(isWidgetShown, index)) await sendKey("Escape");
    if (key && (await world.call(isWidgetShown, index)) && (await world.call(focusOpener, index))) await sendKey(key);
    return isTried && (widget === "needless" || world.call(isReportable, index));
  }

  async function tryWidget(index: number, { kind, role, opensFirst }: ReadyWidget, openedBy?: OpeningKey): Promise<void> {
    if (kind === "activation") return tryActivation(index, role);
    if (kind === "value") return tryValue(index, role);
    return opensFirst ? tryOpened(index, role) : tryItems(index, role, openedBy);
  }

  async function tryActivation(index: number, role: string): Promise<void> {
    const keys: ActivationKey[] = role === "link" ? ["Enter"] : ["Enter", "Space"];
    const effects = new Map<ActivationKey, Effect>();
    for (const key of keys) {
      const effect = await press(index, key);
      if (!effect) break;
      if (effect === "scrolled") return;
      effects.set(key, effect);
      // Opened content may keep the focus.
      if (effect !== "none" && !(await world.call(focusWidget, index))) await sendKey("Escape");
    }
    if (effects.size === 0) return;
    const answered = keys.filter((key) => (effects.get(key) ?? "none") !== "none");
    const silent = keys.filter((key) => effects.get(key) === "none");
    const missing = answered.length > 0 ? silent.filter((key) => role === "button" || key === "Space") : [];
    const byPointer = answered.length === 0 && (await answersPointer(index, () => anyAnswer(index, keys)));
    const staysMissing = missing.length > 0 && (await staysSilent(index, answered, missing, effects));
    const isSeen = answered.some((key) => effects.get(key) === "clear");
    await world.call(noteTrial, index, { activation: { role, answered, isSeen, missing: staysMissing ? missing : [], byPointer } });
  }

  /** Confirms that one key has an effect and the other one has none. */
  async function staysSilent(index: number, answered: ActivationKey[], silent: ActivationKey[], effects: Map<ActivationKey, Effect>): Promise<boolean> {
    if (!answered.every((key) => effects.get(key) === "clear")) return false;
    for (const key of silent) if ((await press(index, key)) !== "none") return false;
    for (const key of answered) if ((await press(index, key)) !== "clear") return false;
    return true;
  }

  /** @param openedBy key that has opened the widget on another control */
  async function tryItems(index: number, role: string, openedBy?: OpeningKey): Promise<void> {
    const outOfTab = await world.call(unreachedItems, index);
    const answer = outOfTab > 0 ? await anyAnswer(index, MOVING) : "none";
    if (answer === undefined) return;
    const onArrows = await answersArrows(index, answer);
    const missed = answer !== "none" && ARROWS.includes(answer) ? await walk(index, role, answer) : undefined;
    if (answer !== "none") await sendKey(BACK[answer] ?? "Escape");
    if (answer !== "none" && role !== "combobox") await sendKey("Escape");
    const byPointer = outOfTab > 0 && answer === "none" && (await answersPointer(index, () => anyAnswer(index, MOVING), role === "combobox" ? 1 : ROUNDS));
    const besideSteps = (byPointer || missed?.byPointer === true) && (await world.call(hasSteps, index));
    await world.call(noteTrial, index, { items: { role, unreached: outOfTab, isAnswered: answer !== "none", onArrows, byPointer, hasSteps: besideSteps, ...(missed && { missed }) } });
    const isUsable = outOfTab === 0 ? role !== "combobox" : answer !== "none" && ARROWS.includes(answer);
    if (isUsable && !missed && (await reopen(index, openedBy))) await activate(index, answer === "none" ? undefined : answer, openedBy);
    if (answer !== "none" && role === "combobox") await sendKey("Escape");
  }

  async function walk(index: number, role: string, answer: Key) {
    const missed = await walkItems(world, index, role, answer, { ...handsOf(index), answersPointer: () => answersPointer(index, async () => "none", 1), click: () => click(index), signal });
    connection.takeLeaving();
    return missed;
  }

  async function activate(index: number, move: Key | undefined, openedBy: OpeningKey | undefined): Promise<void> {
    const isReportable = await activateItem(world, index, move, {
      ...handsOf(index),
      press: (key, isPatient) => pressThere(index, key, isPatient),
      answersPointer: () => answersPointer(index, async () => "none", 1),
      answersArrows: async () => (await anyAnswer(index, ARROWS)) !== "none",
      reopen: () => reopen(index, openedBy),
    });
    if (!isReportable) unreached += 1;
    connection.takeLeaving();
  }

  /** Shows a widget again that another control opens. @returns whether it is shown */
  async function reopen(index: number, openedBy: OpeningKey | undefined): Promise<boolean> {
    if (await world.call(isOpen, index)) return true;
    if (!openedBy || !(await world.call(focusOpener, index))) return false;
    await pressOpener(world, openedBy, signal);
    const widget = await ready(index);
    if (typeof widget === "string") return false;
    if (!(await world.call(isEntered, index))) await sendKey("ArrowDown");
    return true;
  }

  function handsOf(index: number) {
    return { sendKey, focus: () => world.call(focusWidget, index) };
  }

  /** Tests a field whose list has to be opened first; if its options do not appear, another rule reports that. */
  async function tryOpened(index: number, role: string): Promise<void> {
    const open = async () => {
      if (!(await world.call(focusWidget, index))) return undefined;
      await press(index, "ArrowDown");
      return world.call(readyWidget, index, REST_MS, ITEMS_OF_ROLE);
    };
    const isShown = (widget: Awaited<ReturnType<typeof open>>) => typeof widget === "object" && !widget.opensFirst;
    if (!isShown(await open())) return sendKey("Escape");
    await closePopup(world, index, role, handsOf(index));
    if (isShown(await open())) await tryItems(index, role);
    await sendKey("Escape");
  }

  async function tryValue(index: number, role: string): Promise<void> {
    const answer = await anyAnswer(index, [...MOVING, "PageUp", "PageDown"]);
    if (answer === undefined) return;
    const onArrows = await answersArrows(index, answer);
    if (answer !== "none") await sendKey(BACK[answer] ?? "Escape");
    const byPointer = answer === "none" ? await isDragged(index) : false;
    if (byPointer === undefined) return;
    await world.call(noteTrial, index, { value: { role, isAnswered: answer !== "none", onArrows, byPointer, hasOther: await world.call(hasOtherControls, index) } });
  }

  /** @returns undefined for a value that moves by itself: the effect of keys on it is unknown */
  async function isDragged(index: number): Promise<boolean | undefined> {
    const before = await world.call(valueOf, index);
    await pause(VALUE_RESTS_MS);
    if ((await world.call(valueOf, index)) !== before) return undefined;
    for (const [dx, dy] of [[DRAGGED_PX, 0], [-DRAGGED_PX, 0], [0, DRAGGED_PX], [0, -DRAGGED_PX]] as const) {
      const point = await world.call(pointOfWidget, index);
      if (typeof point === "string") return false;
      await movePointer(point);
      await pressPointer("mousePressed", point);
      const steps = 4;
      for (let step = 1; step <= steps; step += 1) await movePointer({ x: point.x + (dx * step) / steps, y: point.y + (dy * step) / steps }, "left");
      await pressPointer("mouseReleased", { x: point.x + dx, y: point.y + dy });
      await world.call(effectOn, index, REACTED_WITHIN_MS, false);
      if ((await world.call(valueOf, index)) !== before) return true;
    }
    return false;
  }

  /**
   * Do clicks have a visible effect, while the keys still have none?
   * @param rounds one for a list that a choice closes, and that a key opens again
   */
  async function answersPointer(index: number, pressAgain: () => Promise<Key | "none" | undefined>, rounds = ROUNDS): Promise<boolean> {
    let hoverMs = rounds === 1 ? HOVERED_ONCE_WITHIN_MS : HOVERED_WITHIN_MS;
    for (let round = 1; round <= rounds; round += 1) {
      const point = await world.call(pointOfWidget, index);
      // After the first click the widget may be gone, as intended; a covered widget proves nothing.
      if (typeof point === "string") return round > 1 && point === "gone";
      await movePointer(point);
      const begun = performance.now();
      await pause(hoverMs);
      await world.call(forgetEffects, index);
      const hasSideEffect = watchSideEffects();
      await pressPointer("mousePressed", point);
      await pressPointer("mouseReleased", point);
      const effect = await patiently((ms) => world.call(effectOn, index, ms, false));
      if (effect !== "clear" && !hasSideEffect()) return false;
      hoverMs = performance.now() - begun + HOVERED_LONGER_MS;
      if (round === rounds) return true;
      await movePointer({ x: 0, y: 0 });
      if (!(await world.call(focusWidget, index))) return (await world.call(pointOfWidget, index)) === "gone";
      if ((await pressAgain()) !== "none") return false;
    }
    return false;
  }

  async function click(index: number): Promise<void> {
    const point = await world.call(pointOfWidget, index);
    if (typeof point === "string") return;
    await movePointer(point);
    await pressPointer("mousePressed", point);
    await pressPointer("mouseReleased", point);
  }

  /** @returns first key with an effect; undefined if the widget does not get the focus, or if the page scrolls instead */
  async function anyAnswer(index: number, keys: Key[]): Promise<Key | "none" | undefined> {
    if (!(await world.call(focusWidget, index))) return undefined;
    await world.call(forgetEffects);
    const hasSideEffect = watchSideEffects();
    for (const key of keys) {
      await sendKey(key);
      const effect = await effectOfKey(index, key, REACTED_WITHIN_MS);
      if (effect === "scrolled") return undefined;
      if (effect !== "none" || hasSideEffect()) return key;
    }
    const late = await effectOfKey(index, keys.at(-1), REACTED_LATE_WITHIN_MS);
    if (late === "scrolled") return undefined;
    return late !== "none" || hasSideEffect() ? (keys.at(-1) ?? "none") : "none";
  }

  /** Has an arrow key an effect, or only another key? A late effect of an arrow key looks like one of the key after it. */
  async function answersArrows(index: number, answer: Key | "none"): Promise<boolean> {
    if (answer === "none" || ARROWS.includes(answer)) return answer !== "none";
    return (await anyAnswer(index, ARROWS)) !== "none";
  }

  /** @returns effect of the key; undefined if the widget does not get the focus */
  async function press(index: number, key: Key): Promise<Effect | undefined> {
    return (await world.call(focusWidget, index)) ? pressThere(index, key) : undefined;
  }

  async function pressThere(index: number, key: Key, isPatient = true): Promise<Effect> {
    await world.call(forgetEffects);
    const hasSideEffect = watchSideEffects();
    const requests = connection.requests();
    await sendKey(key);
    const look = (ms: number) => effectOfKey(index, key, ms);
    const effect = isPatient ? await patiently(look) : await look(REACTED_WITHIN_MS);
    if (hasSideEffect()) return "clear";
    return effect === "none" && connection.requests() > requests ? "unclear" : effect;
  }

  /** Enter never scrolls in any browser, so the page itself scrolled. */
  async function effectOfKey(index: number, key: Key | undefined, ms: number): Promise<Effect> {
    const effect = await world.call(effectOn, index, ms, true);
    return effect === "scrolled" && key === "Enter" ? "unclear" : effect;
  }

  /** @returns function that tells whether the page has requested another page, a window or a dialog of the browser since */
  function watchSideEffects(): () => boolean {
    connection.takeLeaving();
    const before = asked();
    return () => connection.takeLeaving() !== undefined || asked() > before;
  }

  async function patiently(look: (ms: number) => Promise<Effect>): Promise<Effect> {
    signal.throwIfAborted();
    const soon = await look(REACTED_WITHIN_MS);
    if (soon === "clear" || soon === "scrolled") return soon;
    const late = await look(REACTED_LATE_WITHIN_MS);
    return late === "none" ? soon : late;
  }

  async function sendKey(key: Key): Promise<void> {
    signal.throwIfAborted();
    await pressKey(session, key);
  }

  async function movePointer(point: { x: number; y: number }, button: "left" | "none" = "none"): Promise<void> {
    signal.throwIfAborted();
    await session.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...point, button, buttons: button === "left" ? 1 : 0 });
  }

  async function pressPointer(type: "mousePressed" | "mouseReleased", point: { x: number; y: number }): Promise<void> {
    signal.throwIfAborted();
    await session.send("Input.dispatchMouseEvent", { type, ...point, button: "left", clickCount: 1 });
  }
}
