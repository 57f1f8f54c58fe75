/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { ItemPlace, KeysGlobals } from "./trials";

/**
 * Begins a walk through the items of a focused widget. Items of a widget inside belong to that one.
 * @param most maximum number of judged items, from the focused one on
 * @returns undefined if the page does not tell which item the keys lead to, or if a field inside needs the arrow keys itself
 */
export function beginItemWalk(index: number, most: number): ItemPlace | undefined {
  const { rampeKeys: state, rampeDom: dom } = globalThis as unknown as KeysGlobals;
  const widget = state?.widgets[index];
  if (!widget) return undefined;
  const { element, role } = widget;
  const composites = "[role=tablist], [role=listbox], [role=menu], [role=menubar], [role=tree], [role=treegrid], [role=grid], [role=radiogroup], [role=toolbar]";
  const isOwn = (item: Element) => role === "combobox" || dom.composedParent(item) === element || closest(dom.composedParent(item), composites) === element;
  const items = widget.items.filter(isOwn);
  if (items.length < 2) return undefined;
  const fields = "select, textarea, input:not([type=button], [type=submit], [type=checkbox], [type=image], [type=reset]), [role=spinbutton], [role=slider], [role=textbox], [role=combobox], [contenteditable]";
  if (role !== "combobox" && [element, ...dom.inside(element, fields)].some((each) => dom.matches(each, fields))) return undefined;
  const begun = itemOf(placeNow());
  const from = Math.max(0, items.indexOf(begun ?? element));
  const judged = items.slice(from, from + most).filter((item) => !isStop(item) && !isExcused(item));
  widget.walk = { judged, reached: new Set(begun ? [begun] : []), places: [], look, missed };
  const place = look();
  // A list may mark its first option only after a key.
  return begun || role === "combobox" || dom.attribute(element, "aria-activedescendant") !== null || dom.matches(element, ":focus") ? place : undefined;

  function look(): ItemPlace {
    const at = placeNow();
    const item = at && itemOf(at);
    if (item) widget?.walk?.reached.add(item);
    const places = widget?.walk?.places ?? [];
    if (at && !places.includes(at)) places.push(at);
    return { at: at ? places.indexOf(at) : -1, isItem: item !== undefined, left: missed().length };
  }

  function missed(): HTMLElement[] {
    return (widget?.walk?.judged ?? []).filter((item) => !widget?.walk?.reached.has(item) && item.isConnected && isShown(item) && !isStop(item) && !isExcused(item));
  }

  /** The focused element, or the one that it names as active; else the only chosen item. */
  function placeNow(): Element | undefined {
    const focused = dom.focused();
    if (!focused) return undefined;
    for (let holder: Element | null = focused; holder; holder = dom.composedParent(holder)) {
      const id = dom.attribute(holder, "aria-activedescendant");
      const active = id && (dom.root(holder) as Document | ShadowRoot).getElementById(id);
      if (active) return active;
      if (holder === element) break;
    }
    if (focused !== element) return focused;
    const chosen = items.filter((item) => dom.matches(item, "[aria-selected=true], [aria-checked=true]"));
    return chosen.length === 1 ? chosen[0] : undefined;
  }

  /** Innermost item around a place: items of trees contain others. */
  function itemOf(place: Element | undefined): HTMLElement | undefined {
    for (let at: Element | null | undefined = place; at; at = dom.composedParent(at)) if (items.includes(at as HTMLElement)) return at as HTMLElement;
    return undefined;
  }

  function closest(from_: Element | null, selector: string): Element | null {
    for (let at = from_; at; at = dom.composedParent(at)) if (dom.matches(at, selector)) return at;
    return null;
  }

  function isStop(item: HTMLElement): boolean {
    return item.tabIndex >= 0 || [...item.querySelectorAll<HTMLElement>("*")].some(({ tabIndex }) => tabIndex >= 0);
  }

  /** Disabled items, also those that only look so. */
  function isExcused(item: HTMLElement): boolean {
    if (dom.closest(item, ":disabled, [aria-disabled=true], [inert], [aria-hidden=true]") || dom.matches(item, "[class*=disabled], [class*=inactive]")) return true;
    const { cursor, pointerEvents, opacity } = getComputedStyle(item);
    const faded = 0.6;
    return cursor === "not-allowed" || pointerEvents === "none" || Number(opacity) < faded;
  }

  function isShown(item: HTMLElement): boolean {
    const { width, height } = dom.box(item);
    return width > 1 && height > 1 && dom.isShown(item, { opacityProperty: true, visibilityProperty: true });
  }
}

/** Place after a key; undefined if there is no walk. */
export function lookAtItem(index: number): ItemPlace | undefined {
  return (globalThis as unknown as KeysGlobals).rampeKeys?.widgets[index]?.walk?.look();
}

/**
 * Makes the first item that no key has reached the target of the pointer.
 * @returns number of those items, the first one's text, and whether it is chosen: then a click on it changes nothing
 */
export function aimAtMissed(index: number): { count: number; name: string; isChosen: boolean } | undefined {
  const { rampeKeys: state, rampeDom: dom } = globalThis as unknown as KeysGlobals;
  const widget = state?.widgets[index];
  const missed = widget?.walk?.missed() ?? [];
  const [first] = missed;
  if (!widget || !first) return undefined;
  widget.target = first;
  const longest = 60;
  const name = (dom.attribute(first, "aria-label") ?? dom.text(first)).replace(/\s+/g, " ").trim().slice(0, longest);
  return { count: missed.length, name, isChosen: dom.matches(first, "[aria-selected=true], [aria-checked=true], [aria-current]:not([aria-current=false])") };
}

/** Makes an item that keys have reached the target of the pointer. @returns false if there is none */
export function aimAtReached(index: number): boolean {
  const widget = (globalThis as unknown as KeysGlobals).rampeKeys?.widgets[index];
  const missed = widget?.walk?.missed() ?? [];
  const other = widget?.items.find((item) => widget.walk?.reached.has(item) && !missed.includes(item) && item.isConnected);
  if (!widget || !other) return false;
  widget.target = other;
  return true;
}

/** First letters of the items that no key has reached: many lists move to the item with a typed letter. */
export function lettersOfMissed(index: number, most: number): string[] {
  const { rampeKeys: state, rampeDom: dom } = globalThis as unknown as KeysGlobals;
  const names = (state?.widgets[index]?.walk?.missed() ?? []).map((item) => (dom.attribute(item, "aria-label") ?? dom.text(item)).trim().toLowerCase());
  return [...new Set(names.map((name) => name.slice(0, 1)).filter((letter) => /[a-z\d]/.test(letter)))].slice(0, most);
}

export function forgetTarget(index: number): void {
  const widget = (globalThis as unknown as KeysGlobals).rampeKeys?.widgets[index];
  delete widget?.target;
}
