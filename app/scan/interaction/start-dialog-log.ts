/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";
import type { PlaceInDialog } from "./go-around";
import type { SightGlobals } from "./sight";

/** A dialog that is open when the page arrives, and what the keyboard does with it. */
export interface StartDialog {
  /**
   * `native`: a `dialog` opened by `showModal`, which the browser keeps; `declared`: modal by `aria-modal`; `role`: a dialog by its role
   * alone, over the whole window; `overlay`: a box over the whole window without a role.
   */
  kind: "native" | "declared" | "role" | "overlay";
  /** The dialog, its backdrop or both cover the whole window. */
  isCovering: boolean;
  /** Place of the focus at arrival, or after the first Tab keys: `late` after more than one. */
  focus?: "inside" | "late" | "behind" | "nothing";
  /** Element behind the dialog that a key reached: covered, if the dialog covers the window. */
  leftTo?: { element: Element; by: "arrival" | "Tab" | "Shift+Tab" };
  /** The Tab key went around in the dialog, or did not leave it. */
  isHeld?: true;
  /** The input that closed the dialog; undefined if nothing did. `pointer`: only a click on a button; `itself`: before any input. */
  closedBy?: "Escape" | "button" | "pointer" | "itself";
  /** Why it is unknown whether the dialog can be closed: its content is in a frame, or a button needs the network. */
  isUnknown?: true;
}

export interface StartDialogGlobals extends SightGlobals, DomGlobals {
  rampeStartDialogs?: {
    /** Observations by dialog. Of a closed dialog that was removed: by the closest remaining element around it. */
    known: Map<Element, StartDialog>;
    /** The dialog in use, the elements around it, and the parts of the page that cover the window together with it. */
    current?: Element;
    around: Element[];
    layers: Element[];
    /** Elements that the Tab key reached in it, in order. */
    visited: Element[];
    /** Buttons that were pressed to close it. */
    closers: Set<Element>;
    /** Content that was shown and usable before it was closed. */
    shown: Set<Element>;
    /** Parts of the page to judge next: a dialog, or what closing it has shown. */
    appeared: Element[];
    /** Dialogs whose focus was judged. */
    judged: Set<Element>;
    /** The innermost layer around an element. */
    layerOf(element: Element): Element | undefined;
    /** The innermost element at a point of the window, also in shadow roots. */
    hitAt(x: number, y: number): Element | undefined;
    isInDialog(element: Element): boolean;
    isCovered(element: Element): boolean;
    closersIn(dialog: Element): HTMLElement[];
    /** All elements with visible content of their own that assistive technology and the keyboard get to. */
    usable(): Set<Element>;
  };
}

export interface FoundDialog extends Pick<StartDialog, "kind" | "isCovering"> {
  /** Accessible name or heading; "" for none. */
  name: string;
}

/**
 * Finds the dialog that keeps users from the page: a modal one, or one that covers the window. Dialogs beside which the page stays in use
 * are none. Whether one covers the window is told by nine points of it, so that pages without a dialog lose no time.
 */
export function findStartDialog(): FoundDialog | null {
  const globals = globalThis as unknown as StartDialogGlobals;
  const { rampeDom: dom } = globals;
  const [leastSize, mostContents, longestName] = [4, 500, 100];
  const state: NonNullable<StartDialogGlobals["rampeStartDialogs"]> = (globals.rampeStartDialogs ??= { known: new Map(), around: [], layers: [], visited: [], closers: new Set(), shown: new Set(), appeared: [], judged: new Set(), layerOf, hitAt, isInDialog, isCovered, closersIn, usable });
  const shares = [0.1, 0.5, 0.9];
  const hits = shares.flatMap((x) => shares.flatMap((y) => hitAt(innerWidth * x, innerHeight * y) ?? []));
  const chains = hits.map(chainOf);
  const roles = "dialog[open], [role=dialog], [role=alertdialog]";
  const found = inFront("dialog:modal, [aria-modal=true]");
  const layers = hits.map(layerOf);
  const isLayered = hits.length === shares.length ** 2 && layers.every((each) => each !== undefined);
  if (!found && !isLayered) return null;
  state.layers = [...new Set(layers.flatMap((each) => each ?? []))];
  const isCovering = isLayered && coversPage();
  const dialog = found ?? (isCovering ? (inFront(roles) ?? withCloser()) : undefined);
  if (!dialog || dialog === document.body || dialog === document.documentElement || !isSeen(dialog)) return null;
  const kind = dom.matches(dialog, "dialog:modal") ? "native" : found ? "declared" : dom.matches(dialog, roles) ? "role" : "overlay";
  state.current = dialog;
  state.around = chainOf(dialog).slice(1);
  state.visited = [];
  state.closers = new Set();
  state.known.set(dialog, { kind, isCovering });
  return { kind, isCovering, name: nameOf(dialog) };

  /** The dialog whose middle nothing covers, else the first one; also in shadow roots, if one of the points hits it. */
  function inFront(selector: string): Element | undefined {
    const all = new Set<Element>([...chains.flat().filter((each) => dom.matches(each, selector)), ...document.querySelectorAll(selector)]);
    const dialogs = [...all].filter((each) => isSeen(each) && !isEmpty(each) && dom.closest(each, "[aria-hidden=true]") === null && isLifted(each));
    const outer = dialogs.filter((each) => !dialogs.some((other) => other !== each && globals.rampeSight.holds(other, each)));
    return outer.find(isHit) ?? outer[0];
  }

  /** Is it drawn over the page? Others stand in its text, such as an example of a dialog. */
  function isLifted(element: Element): boolean {
    return chainOf(element).some((each) => dom.matches(each, "dialog:modal") || /^(fixed|absolute)$/.test(getComputedStyle(each).position));
  }

  function isHit(element: Element): boolean {
    const { left, top, width, height } = dom.box(element);
    const hit = hitAt(left + width / 2, top + height / 2);
    return hit !== undefined && globals.rampeSight.holds(element, hit);
  }

  function isEmpty(element: Element): boolean {
    return dom.shadow(element) === null && dom.text(element).trim() === "" && dom.first(element, "img, svg, iframe, input, button, slot") === null;
  }

  function hitAt(x: number, y: number): Element | undefined {
    let hit = document.elementFromPoint(x, y);
    for (let inner = hit && dom.shadow(hit)?.elementFromPoint(x, y); inner && inner !== hit; inner = dom.shadow(inner)?.elementFromPoint(x, y)) hit = inner;
    return hit ?? undefined;
  }

  /** The element and all around it, also across shadow roots. */
  function chainOf(element: Element): Element[] {
    const chain: Element[] = [];
    for (let at: Element | null = element; at; at = dom.composedParent(at)) chain.push(at);
    return chain;
  }

  function layerOf(element: Element): Element | undefined {
    return chainOf(element).find((each) => {
      if (each === document.body || each === document.documentElement) return false;
      const { position, zIndex } = getComputedStyle(each);
      if (position === "fixed" || dom.matches(each, "dialog:modal")) return true;
      const { left, top, right, bottom } = dom.box(each);
      return position === "absolute" && Number(zIndex) > 0 && left <= 0 && top <= 0 && right >= innerWidth && bottom >= innerHeight;
    });
  }

  /** Is there content behind the layers, and do they hide all of it that is in the window? The layer of a whole application has none. */
  function coversPage(): boolean {
    const contents = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, h1, h2, h3, p, img")].slice(0, mostContents);
    const behind = contents.filter((each) => !state.layers.some((layer) => globals.rampeSight.holds(layer, each)) && isSeen(each));
    return behind.length > 0 && behind.every((each) => isCovered(each));
  }

  function isSeen(element: Element): boolean {
    const { left, top, right, bottom, width, height } = dom.box(element);
    const isInWindow = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    return isInWindow && width >= leastSize && height >= leastSize && dom.isShown(element, { visibilityProperty: true, opacityProperty: true });
  }

  /** Does a layer lie over the middle of the element, as far as that is in the window? */
  function isCovered(element: Element): boolean {
    const { left, top, right, bottom, width, height } = dom.box(element);
    const [x, y] = [(Math.max(0, left) + Math.min(innerWidth, right)) / 2, (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2];
    if (width < leastSize || height < leastSize || x <= 0 || y <= 0 || x >= innerWidth || y >= innerHeight) return false;
    const hit = hitAt(x, y);
    if (!hit || chainOf(hit).includes(element)) return false;
    return state.layers.some((layer) => globals.rampeSight.holds(layer, hit) && !globals.rampeSight.holds(layer, element));
  }

  /** A box without a role counts only with a button that closes it; others may show that the page loads. */
  function withCloser(): Element | undefined {
    return state.layers.find((layer) => closersIn(layer).length > 0);
  }

  function isInDialog(element: Element): boolean {
    const { current, known, layers: covering } = state;
    if (!current) return false;
    const layer = layerOf(current);
    // Guards of the focus stand beside a dialog, in its layer; the layer of a whole application holds the page, too.
    const isOfDialog = layer !== undefined && covering.includes(layer) && known.get(current)?.isCovering === true;
    return globals.rampeSight.holds(current, element) || (isOfDialog && globals.rampeSight.holds(layer, element));
  }

  /** Usable buttons whose words say that they close a dialog: first those that close and refuse, at last those that accept. */
  function closersIn(dialog: Element): HTMLElement[] {
    const words = [
      /(?<!\p{L})(close|dismiss|schlie(ß|ss)en|ausblenden)(?!\p{L})|^[x×✕✖✗]$/iu,
      /ablehnen|verweigern|nicht (akzeptieren|zustimmen|einverstanden)|(nur|ausschließlich)\s.{0,30}(notwendig|erforderlich|essenziell|essentiell)|ohne (einwilligung|zustimmung)|reject|decline|deny|refuse|disagree|(only|strictly)\s.{0,20}(necessary|essential|required)|(necessary|essential|required)\s.{0,20}only|without (accepting|agreeing|consent)|(?<!\p{L})(nein,? danke|no,? thanks|not now|nicht jetzt|maybe later|vielleicht später)/iu,
      /^(cancel|abbrechen|verstanden|got it|i understand|ok(ay)?|yes|ja|no|nein|later|später|done|fertig|skip|überspringen)(?!\p{L})/iu,
      /akzeptieren|annehmen|zustimmen|einverstanden|erlauben|accept|agree|allow/iu,
    ];
    const ends = 2;
    const buttons = partsOf(dialog).filter((each) => dom.matches(each, "button, [role=button], input[type=button], input[type=submit], a:not([href]), a[href^='#'], a[href^='javascript:']"));
    const usable = buttons.filter((each) => dom.isShown(each, { visibilityProperty: true, opacityProperty: true }) && !dom.matches(each, ":disabled, [aria-disabled=true], [inert], [inert] *"));
    const rankOf = (button: HTMLElement) => {
      if (dom.matches(button, "[command=close], form[method=dialog] button")) return 0;
      const names = namesOf(button);
      const rank = words.findIndex((word) => names.some((name) => word.test(name)));
      const isClass = rank < 0 && names.every((name) => name === "") && /(^|[-_\s])close([-_\s]|$)/i.test(dom.attribute(button, "class") ?? "");
      // Other buttons of forms send them.
      const sends = dom.closest(button, "form") !== null && !dom.matches(button, "[type=button]");
      return isClass ? 0 : sends && rank === ends ? -1 : rank;
    };
    const ranked = usable.map((button) => ({ button, rank: rankOf(button) })).filter(({ rank }) => rank >= 0);
    return ranked.toSorted((one, other) => one.rank - other.rank).map(({ button }) => button);
  }

  function namesOf(button: HTMLElement): string[] {
    const pictures = dom.inside(button, "img[alt], svg[aria-label]").map((each) => dom.attribute(each, "alt") ?? dom.attribute(each, "aria-label"));
    const texts = [dom.attribute(button, "aria-label"), button.innerText, dom.attribute(button, "title"), dom.attribute(button, "value"), ...pictures];
    return texts.map((text) => (text ?? "").replace(/\s+/g, " ").trim());
  }

  function partsOf(outer: Element): HTMLElement[] {
    const parts = [...dom.inside(outer, "*"), ...(dom.shadow(outer) ? [...(dom.shadow(outer)?.querySelectorAll<HTMLElement>("*") ?? [])] : [])];
    return parts.flatMap((each) => [each, ...(dom.shadow(each) ? partsOf(each).filter((inner) => !parts.includes(inner)) : [])]);
  }

  function usable(): Set<Element> {
    const modals = [...document.querySelectorAll("dialog:modal"), ...(state.current && dom.matches(state.current, "dialog:modal") ? [state.current] : [])];
    const { rampeSight: sight } = globals;
    const hiding = [...document.querySelectorAll("[inert], [aria-hidden=true]")];
    const isKept = (each: Element) => modals.length > 0 && !modals.some((modal) => sight.holds(modal, each));
    return new Set([...sight.look()].filter((each) => !isKept(each) && !hiding.some((outer) => dom.contains(outer, each))));
  }

  function nameOf(element: Element): string {
    const root = dom.root(element) as Document | ShadowRoot;
    const labels = (dom.attribute(element, "aria-labelledby") ?? "").split(/\s+/).map((id) => (id ? root.getElementById(id)?.textContent : ""));
    const heading = partsOf(element).find((each) => dom.matches(each, "h1, h2, h3, h4, h5, h6, [role=heading]"));
    const texts = [labels.join(" "), dom.attribute(element, "aria-label"), heading && dom.text(heading)];
    return texts.map((text) => (text ?? "").replace(/\s+/g, " ").trim()).find(Boolean)?.slice(0, longestName) ?? "";
  }
}

/** Place of the focus with a dialog open: in it, also in a frame; on an element behind it; on nothing with a meaning. */
export type DialogFocus = PlaceInDialog | "frame" | "behind" | "nothing";

/** Finds the place of the focus. @param isFirst forgets the elements that were visited before */
export function focusAtDialog(isFirst = false): DialogFocus {
  const { rampeStartDialogs: state, rampeDom: dom } = globalThis as unknown as StartDialogGlobals;
  const active = dom.focused();
  const dialog = state?.current && state.known.get(state.current);
  if (!state?.current || !dialog || !active) return "nothing";
  if (state.isInDialog(active)) {
    if (isFirst) state.visited = [];
    const isKnown = state.visited.includes(active);
    const isLast = state.visited.at(-1) === active;
    if (!isKnown) state.visited.push(active);
    if (dom.matches(active, "iframe, frame, object, embed")) return "frame";
    return isLast ? "same" : isKnown ? "again" : "inside";
  }
  // Without content, it may be a guard that leads the focus back.
  const hasContent = dom.matches(active, "input, select, textarea, img, area") || dom.text(active).trim() !== "" || dom.attribute(active, "aria-label") !== null || dom.first(active, "img, svg") !== null;
  const isShown = dom.isShown(active, { visibilityProperty: true, opacityProperty: true });
  return hasContent && isShown && (dialog.isCovering ? state.isCovered(active) : true) ? "behind" : "nothing";
}

/** Keeps what the keyboard does with the dialog in use. `leaves`: the input after which the focus is behind it. */
export function noteAtDialog({ leaves, ...more }: Partial<Omit<StartDialog, "leftTo">> & { leaves?: NonNullable<StartDialog["leftTo"]>["by"] }): void {
  const { rampeStartDialogs: state, rampeDom: dom } = globalThis as unknown as StartDialogGlobals;
  const dialog = state?.current && state.known.get(state.current);
  if (!dialog) return;
  Object.assign(dialog, more);
  const element = leaves && dom.focused();
  // A way out of the dialog says more than a late way into it.
  if (element && (!dialog.leftTo || (dialog.focus === "late" && dialog.leftTo.by === "arrival"))) dialog.leftTo = { element, by: leaves };
}

/** Puts the focus on the first element in the dialog in use that the Tab key reaches. @returns whether there is one */
export function focusFirstInDialog(): boolean {
  const { rampeStartDialogs: state, rampeDom: dom } = globalThis as unknown as StartDialogGlobals;
  if (!state?.current) return false;
  const stops = dom.inside(state.current, "a[href], button, input, select, textarea, summary, [tabindex]").filter((each) => each.tabIndex >= 0 && dom.isShown(each, { visibilityProperty: true }) && !dom.matches(each, ":disabled, [inert], [inert] *"));
  const [first] = stops;
  if (!first) return false;
  dom.focus(first);
  return dom.matches(first, ":focus");
}

/** Keeps the content that is usable before the dialog in use is closed. @returns whether a frame is in it, whose buttons cannot be pressed */
export function prepareClosing(): boolean {
  const { rampeStartDialogs: state, rampeDom: dom } = globalThis as unknown as StartDialogGlobals;
  if (!state?.current) return false;
  state.shown = state.usable();
  state.appeared = [];
  return dom.first(state.current, "iframe") !== null;
}

/**
 * Chooses the next button that may close the dialog in use.
 * @param by `keyboard`: focuses one that the Tab key reaches; `pointer`: one that it does not reach
 * @returns the middle of the button in the window; null for none, or if it does not get the focus
 */
export function nextCloser(by: "keyboard" | "pointer"): { x: number; y: number } | null {
  const { rampeStartDialogs: state, rampeSight: sight, rampeDom: dom } = globalThis as unknown as StartDialogGlobals;
  if (!state?.current) return null;
  const closer = state.closersIn(state.current).find((each) => !state.closers.has(each) && each.tabIndex >= 0 === (by === "keyboard"));
  if (!closer) return null;
  state.closers.add(closer);
  closer.scrollIntoView({ block: "nearest", behavior: "instant" });
  const { left, top, width, height } = dom.box(closer);
  const point = { x: left + width / 2, y: top + height / 2 };
  if (by === "keyboard") {
    dom.focus(closer, { preventScroll: true });
    return dom.matches(closer, ":focus") ? point : null;
  }
  const hit = state.hitAt(point.x, point.y);
  return hit && sight.holds(closer, hit) ? point : null;
}

/** Is the dialog in use gone, or out of sight? */
export function isDialogClosed(): boolean {
  const { rampeStartDialogs: state, rampeDom: dom } = globalThis as unknown as StartDialogGlobals;
  const dialog = state?.current;
  if (!dialog?.isConnected || !dom.isShown(dialog, { visibilityProperty: true, opacityProperty: true })) return true;
  if (state?.known.get(dialog)?.kind === "native" && !dom.matches(dialog, "dialog:modal")) return true;
  const { left, top, right, bottom } = dom.box(dialog);
  // A role may stand on an element without an area whose content is in front.
  const boxes = [dialog, ...dom.inside(dialog, "*")].map((each) => dom.box(each)).filter(({ width, height }) => width > 0 && height > 0);
  return boxes.length === 0 || (right > left && bottom > top && (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight));
}

/**
 * Keeps the input that closed the dialog in use, and finds the content that is shown, or no longer hidden from assistive technology, only since then.
 * @returns whether there is any
 */
export function noteDialogClosed(closedBy: NonNullable<StartDialog["closedBy"]>): boolean {
  const { rampeStartDialogs: state, rampeSight: sight } = globalThis as unknown as StartDialogGlobals;
  const dialog = state?.current;
  const known = dialog && state.known.get(dialog);
  if (!state || !dialog || !known) return false;
  known.closedBy = closedBy;
  const left = dialog.isConnected ? dialog : state.around.find((each) => each.isConnected);
  if (left && left !== dialog) {
    state.known.delete(dialog);
    state.known.set(left, known);
  }
  const news = [...state.usable()].filter((element) => !state.shown.has(element) && !sight.holds(dialog, element));
  state.appeared = sight.outermost(news, state.shown, dialog);
  return state.appeared.length > 0;
}

/** Chooses the dialog in use alone to be judged, so that nothing of the page behind it counts. @returns false if it was judged before */
export function chooseDialog(): boolean {
  const state = (globalThis as unknown as StartDialogGlobals).rampeStartDialogs;
  if (!state?.current || state.judged.has(state.current)) return false;
  state.judged.add(state.current);
  state.appeared = [state.current];
  return true;
}

/** Chooses all dialogs that were found to be judged, also closed ones. */
export function chooseAllDialogs(): void {
  const state = (globalThis as unknown as StartDialogGlobals).rampeStartDialogs;
  if (state) state.appeared = [...state.known.keys()].filter((each) => each.isConnected);
}

/** Is it unknown for any dialog whether it can be closed? */
export function isClosingUnknown(): boolean {
  const state = (globalThis as unknown as StartDialogGlobals).rampeStartDialogs;
  return [...(state?.known.values() ?? [])].some(({ isUnknown }) => isUnknown);
}

/** Forgets all observations after they were judged: the same rules run again for the rest of the page. */
export function forgetStartDialogs(): void {
  (globalThis as unknown as StartDialogGlobals).rampeStartDialogs = undefined;
}
