/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { ActivationKey, KeysGlobals, KeyTrials } from "./trials";

/** Item of a widget whose keys are to be tried. */
export interface ReadyItem {
  role: string;
  /** Keys that may use it, in the order in which they are pressed. */
  keys: ActivationKey[];
  /** Keys that users expect with its role, each of which must work. */
  expected: ActivationKey[];
}

interface Chosen {
  /** Position of the first chosen item; -1 for none. */
  item: number;
  value: string;
}

/**
 * Looks at the item of a widget that has the keyboard; it becomes the target of the pointer.
 * @param chosenBefore result of `chosenOf` before the key that led to it
 * @returns "other" if another item may be tried; "needless" if the keys that lead to an item choose it
 */
export function itemToUse(index: number, chosenBefore: Chosen): ReadyItem | "other" | "needless" {
  const { rampeKeys: state, rampeDom: dom } = globalThis as unknown as KeysGlobals;
  const widget = state?.widgets[index];
  const focused = dom.focused();
  if (!widget || !focused) return "needless";
  const { element, items } = widget;
  const item = itemOf(activeIn(focused));
  if (!item) return "needless";
  const value = (element as Partial<HTMLInputElement>).value ?? "";
  const chosen = items.findIndex((each) => dom.matches(each, "[aria-selected=true], [aria-checked=true]"));
  // Arrow keys that choose what they lead to need no other key.
  if (value !== chosenBefore.value || (chosen !== chosenBefore.item && items[chosen] === item)) return "needless";
  const role = dom.attribute(item, "role") ?? "";
  const use: Record<string, Omit<ReadyItem, "role">> = {
    menuitem: { keys: ["Enter", "Space"], expected: ["Enter"] },
    menuitemcheckbox: { keys: ["Space", "Enter"], expected: [] },
    menuitemradio: { keys: ["Space", "Enter"], expected: [] },
    tab: { keys: ["Enter", "Space"], expected: ["Enter", "Space"] },
    // In a field, the space bar types.
    option: { keys: widget.role === "combobox" ? ["Enter"] : ["Space", "Enter"], expected: [] },
    treeitem: { keys: ["Enter", "Space"], expected: [] },
    radio: { keys: ["Space", "Enter"], expected: ["Space"] },
    button: { keys: ["Enter", "Space"], expected: ["Enter", "Space"] },
    checkbox: { keys: ["Space", "Enter"], expected: ["Space"] },
    switch: { keys: ["Space", "Enter"], expected: ["Space"] },
  };
  const known = use[role];
  if (!known) return "other";
  // The browser's own controls react by themselves; arrow keys open menus and branches of trees.
  const native = "a, area, button, input, select, textarea, summary, label, option";
  if (dom.matches(item, native) || dom.first(item, `${native}, iframe, [contenteditable], [tabindex='0']`)) return "other";
  if (dom.matches(item, "[aria-haspopup]:not([aria-haspopup=false]), [aria-expanded], [aria-selected=true], [aria-checked=true]:not([role=menuitemcheckbox], [role=checkbox], [role=switch]), [aria-current]:not([aria-current=false]), [aria-disabled=true]")) return "other";
  if (/upload|hochladen|browse|durchsuchen|datei|\bfiles?\b|print|drucken|download|herunterladen/i.test(dom.text(item))) return "other";
  widget.target = item;
  return { role, ...known };

  function activeIn(from: Element): Element {
    for (let holder: Element | null = from; holder; holder = dom.composedParent(holder)) {
      const id = dom.attribute(holder, "aria-activedescendant");
      const active = id && (dom.root(holder) as Document | ShadowRoot).getElementById(id);
      if (active) return active;
      if (holder === element) break;
    }
    return from;
  }

  function itemOf(place: Element): HTMLElement | undefined {
    for (let at: Element | null = place; at; at = dom.composedParent(at)) if (items.includes(at as HTMLElement)) return at as HTMLElement;
    return undefined;
  }
}

/** What is chosen in a widget, and the text of its field. */
export function chosenOf(index: number): Chosen {
  const { rampeKeys: state, rampeDom: dom } = globalThis as unknown as KeysGlobals;
  const { element, items } = state?.widgets[index] ?? { element: undefined, items: [] };
  const value = (element as Partial<HTMLInputElement> | undefined)?.value ?? "";
  return { item: items.findIndex((each) => dom.matches(each, "[aria-selected=true], [aria-checked=true]")), value };
}

/** Does the keyboard stand on the target? */
export function isAtTarget(index: number): boolean {
  const { rampeKeys: state, rampeDom: dom } = globalThis as unknown as KeysGlobals;
  const { element, target } = state?.widgets[index] ?? {};
  const focused = dom.focused();
  if (!element || !target || !focused) return false;
  if (focused === target) return true;
  for (let holder: Element | null = focused; holder; holder = dom.composedParent(holder)) {
    const id = dom.attribute(holder, "aria-activedescendant");
    if (id) return target.id === id;
    if (holder === element) break;
  }
  return false;
}

/** Focuses the first item that the Tab key reaches and that is not chosen. @returns whether it has the focus */
export function focusStop(index: number): boolean {
  const { rampeKeys: state, rampeDom: dom } = globalThis as unknown as KeysGlobals;
  const item = state?.widgets[index]?.items.find((each) => each.tabIndex >= 0 && !dom.matches(each, "a, button, input, [aria-selected=true], [aria-checked=true], [aria-expanded], [aria-haspopup]"));
  if (!item) return false;
  dom.focus(item, { preventScroll: true });
  return dom.focused() === item;
}

/** Keeps the trial of the target. @returns whether the rules can report its result */
export function noteItem(index: number, trial: Pick<KeyTrials, "activation">): boolean {
  const state = (globalThis as unknown as KeysGlobals).rampeKeys;
  const target = state?.widgets[index]?.target;
  if (!state || !target) return false;
  state.trials.set(target, { ...state.trials.get(target), ...trial });
  const fails = trial.activation?.answered.length === 0 || (trial.activation?.missing.length ?? 0) > 0;
  return !fails || target.isConnected;
}
