/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { AnalyserGlobals } from "~/scan/rules/analyser";
import type { OpeningGlobals, OpeningKey } from "~/scan/interaction/opening/opening-log";
import type { ITEMS_OF_ROLE } from "./items-of-role";
import type { KeysGlobals, Widget } from "./trials";

/** Forgets all widgets and their results, so that others can be tried in another condition of the page. Needs `findWidgets`. */
export function forgetWidgets(): void {
  const state = (globalThis as unknown as KeysGlobals).rampeKeys;
  if (!state) return;
  state.widgets = [];
  state.initialCount = 0;
  state.initialElements = new Set(state.usableIn(document).map(({ element }) => element));
  state.trials.clear();
  state.counts.clear();
  state.untriedKinds.clear();
}

/**
 * Keeps the widgets in the content that a control has opened; their keys are tried later. Needs `findWidgets`.
 * @param name of the control
 * @param key that opens the content again; undefined if that is not possible by a key alone
 * @param most maximum number of widgets in all opened contents
 * @param items `ITEMS_OF_ROLE`
 */
export function noteOpenedWidgets(index: number, name: string, key: OpeningKey | undefined, most: number, items: typeof ITEMS_OF_ROLE): void {
  const { rampeOpenings: openings, rampeKeys: state } = globalThis as unknown as OpeningGlobals & KeysGlobals;
  const control = openings?.controls[index];
  if (!openings || !state || !control) return;
  const known = new Set(state.widgets.map(({ element }) => element));
  for (const widget of new Set(openings.appeared.flatMap((root) => state.usableIn(root)))) {
    if (known.has(widget.element) || openings.isUsual(widget.element) || !promisesKeys(widget) || !state.admit(widget)) continue;
    if (key && state.widgets.length - state.initialCount < most) state.widgets.push({ ...widget, opener: { control, key, name } });
    else state.untriedKinds.add(widget.kind);
  }

  /** Of a widget with items, the Tab key does not reach all of them. */
  function promisesKeys({ element, kind, role }: Widget): boolean {
    if (kind !== "items" || role === "combobox") return true;
    const parts = [...element.querySelectorAll<HTMLElement>(items[role] ?? "")].filter((item) => item.checkVisibility({ visibilityProperty: true }));
    const isStop = ({ tabIndex }: HTMLElement) => tabIndex >= 0;
    return parts.length >= 2 && state?.isSteered(element) === false && parts.some((item) => !isStop(item) && ![...item.querySelectorAll<HTMLElement>("*")].some(isStop));
  }
}

/** Forgets that a control can show its widgets again: they are not tried. No key has closed a menu that is still shown. */
export function forgetOpener(index: number): void {
  const { rampeOpenings: openings, rampeKeys: state, rampeDom: dom } = globalThis as unknown as OpeningGlobals & KeysGlobals;
  const control = openings?.controls[index];
  if (!state || !control) return;
  const levels = 3;
  const isBehind = ({ opener }: Widget) => opener?.control === control;
  for (const { kind } of state.widgets.filter(isBehind)) state.untriedKinds.add(kind);
  for (const { element, role } of state.widgets.filter((widget) => isBehind(widget) && widget.role === "menu")) {
    const isShown = element.isConnected && dom.isShown(element, { opacityProperty: true, visibilityProperty: true });
    if (isShown && !dom.closest(element, "dialog, [role=dialog], [role=alertdialog]")) state.trials.set(element, { ...state.trials.get(element), closing: { role, covers: covers(element) } });
  }
  state.widgets = state.widgets.filter((widget) => !isBehind(widget));

  /** A menu in the flow of the page only moves other content. */
  function covers(menu: Element): boolean {
    let at: Element | null = menu;
    for (let level = 0; at && level < levels && at !== document.body; level += 1, at = dom.composedParent(at)) {
      if (/^(absolute|fixed)$/.test(getComputedStyle(at).position)) return true;
    }
    return false;
  }
}

/** @returns number of the kept widgets in opened contents, their kinds, the kinds of the other ones, and number of menus that no key has closed */
export function countOpenedWidgets(): { kept: number; kinds: Widget["kind"][]; beyond: Widget["kind"][]; open: number } {
  const state = (globalThis as unknown as KeysGlobals).rampeKeys;
  const opened = state?.widgets.slice(state.initialCount) ?? [];
  return { kept: opened.length, kinds: [...new Set(opened.map(({ kind }) => kind))], beyond: [...(state?.untriedKinds ?? [])], open: [...(state?.trials.values() ?? [])].filter(({ closing }) => closing).length };
}

/** Focuses the control that shows a widget. @returns key that opens it; undefined if the control cannot be used */
export function focusOpener(index: number): OpeningKey | undefined {
  const opener = (globalThis as unknown as KeysGlobals).rampeKeys?.widgets[index]?.opener;
  opener?.control.focus({ preventScroll: true });
  return opener?.control.matches(":focus") ? opener.key : undefined;
}

/** @returns whether the focus is in a widget, or can get there by the Tab key */
export function isEntered(index: number): boolean {
  const { element, items } = (globalThis as unknown as KeysGlobals).rampeKeys?.widgets[index] ?? {};
  if (!element || !items) return false;
  return element.matches(":focus-within") || [element, ...items.flatMap((item) => [item, ...item.querySelectorAll<HTMLElement>("*")])].some(({ tabIndex }) => tabIndex >= 0);
}

export function isWidgetShown(index: number): boolean {
  const element = (globalThis as unknown as KeysGlobals).rampeKeys?.widgets[index]?.element;
  return element?.isConnected === true && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

/** Has a widget a result that the rules can report? They find no failure of a widget that was removed again. */
export function isReportable(index: number): boolean {
  const state = (globalThis as unknown as KeysGlobals).rampeKeys;
  const element = state?.widgets[index]?.element;
  const { activation, items, value, closing } = (element && state?.trials.get(element)) ?? {};
  if (!activation && !items && !value) return false;
  const staysOpen = closing !== undefined && closing.by === undefined;
  const fails = staysOpen || items?.missed !== undefined || (activation ? activation.answered.length === 0 || activation.missing.length > 0 : items ? items.unreached > 0 && !items.isAnswered : !value?.isAnswered);
  return element?.isConnected === true || !fails;
}

/**
 * @param selectors of single elements in results
 * @returns name of the control that shows each widget; null for others
 */
export function openersOf(selectors: string[]): (string | null)[] {
  const { analyser, rampeKeys } = globalThis as unknown as AnalyserGlobals & KeysGlobals;
  return selectors.map((selector) => {
    try {
      const element = selector === "" ? null : document.querySelector(selector);
      return (analyser.marked.includes(element as Element) && rampeKeys?.widgets.find((widget) => widget.element === element)?.opener?.name) || null;
    } catch {
      return null;
    }
  });
}
