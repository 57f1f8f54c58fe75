/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { ShownGlobals } from "~/scan/conditions/shown-facts";
import type { PlaceInDialog } from "~/scan/interaction/go-around";

/** Result of using a control that promises to open something. */
export interface Opening {
  /** The control could get the focus, so that keys could work. */
  hadFocus: boolean;
  /** Item of a widget beside a Tab stop, but no stop itself: arrow keys may reach and activate it. */
  isItem?: true;
  /** The control has no markup for keys: only its listeners, or its looks, say that it reacts to a pointer. */
  isBare?: true;
  /** The content of a bare control appeared again after a second click, so that it did not come by itself. */
  isCaused?: true;
  /** The input that made something appear; undefined if nothing did. */
  by?: Opener;
  /** `aria-expanded` of the control before and after opening; null for none. */
  expanded: [before: string | null, opened: string | null];
  /** Text and label of the control before opening; `isRenamed`: another one while the content is shown. */
  words: string;
  isRenamed?: true;
  /** A dialog appeared that declares the rest of the page unavailable. */
  isModal: boolean;
  /** Other content disappeared in the same place, such as the slide before the next one. */
  isSwap?: true;
  /** Only a short text appeared; and whether assistive technology announces it. */
  message?: { text: string; isTold: boolean };
  /** Focus after opening. `nothing`: on no element. */
  focus: FocusIn;
  /** Element behind a modal dialog that the Tab key reached from inside; `isLeftBack`: Shift+Tab. */
  leftTo?: Element;
  isLeftBack?: true;
  /** The input that closed the content again; undefined if nothing did. */
  closedBy?: ClosedBy;
  /** After closing, the focus was on no element, and the next key moved it far away. */
  losesFocus?: true;
  /** Place of the focus after a key in the content has closed it; undefined if unknown. `returnedTo`: the element, if it is not near the control. */
  returned?: ReturnOfFocus | undefined;
  returnedTo?: Element;
}

/** A control that was removed by a key on it, and the focus afterwards. */
export interface GoneControl {
  /** Accessible name; "" for none. */
  name: string;
  /** The focus was on no element, and the next Tab key moved it far away. */
  losesFocus: boolean;
}

/** Place of the focus after opened content was closed. `top`: the first place of the page that a key reaches, far before the control. */
export type ReturnOfFocus = "control" | "near" | "top" | "elsewhere" | "hidden";

/** `again`: the control that had opened the content; `button`: a button in the dialog. */
export type ClosedBy = "Escape" | "again" | "button";

type FocusIn = "inside" | "control" | "elsewhere" | "nothing";

/** `focus` and `hover` need no activation. */
export type Opener = "focus" | "Enter" | "Space" | "ArrowDown" | "hover" | "pointer";

/** A control whose content can be opened again by a key. */
export interface ContentOpener {
  control: HTMLElement;
  key: OpeningKey;
  /** Accessible name of the control; "" for none. */
  name: string;
}

export type OpeningKey = "Enter" | "Space" | "ArrowDown";

export interface OpeningGlobals extends ShownGlobals {
  rampeOpenings?: {
    /** Controls of the page, then controls inside of the content that these opened. */
    controls: HTMLElement[];
    /** Outer control of each inner control; it has to be opened first. */
    outer: Map<Element, HTMLElement>;
    /** Controls without markup for keys (`addBareOpeners`). */
    bare: Set<Element>;
    openings: Map<Element, Opening>;
    /** Removed controls, by the closest remaining element around them. */
    gone: Map<Element, GoneControl>;
    /** State before the current control was used: elements around it, the innermost first, and all Tab stops. */
    around: Element[];
    stops: Element[];
    /** Elements with visible content of their own before the current control was used: all of them, also hidden ones, and the shown ones. */
    present: Set<Element>;
    shown: Set<Element>;
    /** Elements shown since then, and the outermost elements around them. */
    news: Element[];
    appeared: Element[];
    /** Modal dialogs among the appeared elements. */
    dialogs: Element[];
    /** Elements that the Tab key reached in a modal dialog. */
    visited: Element[];
    /** State of the open control around the current one: elements that it opened, and elements that were visible when it was first opened. */
    open?: { shown: Set<Element>; news: Element[]; appeared: Element[]; dialogs: Element[] };
    known?: Opening | undefined;
    /** Restores the first observations about a control. */
    restore(outer: Element): void;
    /** Forms in opened contents that are worth a trial; those without an opener cannot be shown again by a key alone. */
    forms: { form: HTMLFormElement; opener?: ContentOpener }[];
    /** Forms that were shown before the opener was used again. */
    formsBefore: Set<HTMLFormElement>;
    /** Buttons of a dialog that were pressed to close it. */
    closers: Set<Element>;
    /** Is an element, or something in it, visible also in the usual condition? Only for controls of another one. */
    isUsual(element: Element): boolean;
    /** Label and text of a control. */
    wordsOf(control: Element): string;
    /** Does a control look like the button of a menu, although its markup does not say so? Only for controls of another condition than the usual one. */
    isMenuButton(control: Element): boolean;
    /** Usable controls whose markup says that they open something. */
    promising(root: Document | Element, shown: Set<Element>): HTMLElement[];
    /** Modal dialogs that have appeared; not one that was open before. */
    modals(control: Element): Element[];
  };
}

/** Content that has appeared. */
export interface Appeared {
  /** Number of elements with something to see. */
  elements: number;
  isModal: boolean;
}

/** Keeps the content that has appeared since the control was made ready. */
export function noteAppeared(index: number, by: Opener): Appeared {
  const { rampeOpenings: state, rampeSight: sight, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const control = state?.controls[index];
  const opening = control && state.openings.get(control);
  if (!state || !opening) return { elements: 0, isModal: false };
  const now = sight.look();
  const news = [...now].filter((element) => !state.shown.has(element) && element !== control && !control.contains(element));
  if (news.length === 0) return { elements: 0, isModal: false };
  state.news = news;
  state.appeared = sight.outermost(news, state.shown, control);
  const active = dom.focused();
  const modals = (state.dialogs = state.modals(control));
  opening.by = by;
  opening.expanded[1] = control.getAttribute("aria-expanded");
  if (state.wordsOf(control) !== opening.words) opening.isRenamed = true;
  opening.isModal = modals.length > 0;
  if (isSwap()) opening.isSwap = true;
  opening.message = messageOf(state.appeared, news);
  opening.focus = !active ? "nothing" : holds(active) ? "inside" : active === control ? "control" : "elsewhere";
  return { elements: news.length, isModal: opening.isModal };

  function isSwap(): boolean {
    const gone = [...(state?.shown ?? [])].filter((element) => !now.has(element) && element !== control && control?.contains(element) === false);
    return state?.appeared.some((element) => {
      const around = dom.parent(element);
      return around && around !== document.body && gone.some((each) => dom.contains(around, each));
    }) === true;
  }

  function messageOf(roots: Element[], shown: Element[]): Opening["message"] {
    const [root] = roots;
    const longest = 150;
    const others = "a[href], button, input, select, textarea, summary, iframe, img, svg, canvas, video, ul, ol, table, dialog, [role=dialog], [role=menu], [role=tooltip], [tabindex]";
    const text = (root ? dom.text(root) : "").replace(/\s+/g, " ").trim();
    if (!root || roots.length > 1 || !/\p{L}{2}/u.test(text) || text.length > longest || shown.some((each) => dom.matches(each, others)) || dom.matches(root, others) || dom.first(root, others)) return undefined;
    const live = "[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log], output";
    // A hidden live region may say the same to screen readers only.
    const isSaidElsewhere = [...document.querySelectorAll(live)].some((each) => dom.text(each).replace(/\s+/g, " ").includes(text));
    return { text, isTold: dom.closest(root, live) !== null || dom.first(root, live) !== null || isSaidElsewhere };
  }

  function holds(active: Element): boolean {
    return [...(state?.appeared ?? []), ...modals].some((element) => sight.holds(element, active));
  }
}

/** Has a focused control disappeared, and does another element have the focus then? */
export function isGoneWithFocus(index: number): "there" | "lost" | "kept" {
  const { rampeOpenings: state } = globalThis as unknown as OpeningGlobals;
  const control = state?.controls[index];
  if (!control || !state.openings.get(control)?.hadFocus || (control.isConnected && control.checkVisibility({ visibilityProperty: true }))) return "there";
  const active = document.activeElement;
  return !active || active === document.body || active === document.documentElement ? "lost" : "kept";
}

/** Keeps a control that has disappeared. If the focus was lost, call it after a Tab key. */
export function noteGone(index: number, name: string, wasLost: boolean): void {
  const { rampeOpenings: state, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const control = state?.controls[index];
  const left = state?.around.find((element) => element.isConnected && dom.isShown(element));
  if (!state || !control || !left) return;
  // Another control in the same place may have kept the focus.
  if (state.gone.get(left)?.losesFocus) return;
  state.gone.set(left, { name, losesFocus: wasLost && isFarAway(control, state.stops) });

  function isFarAway(control: Element, before: Element[]): boolean {
    const near = 3;
    // The list does not include stops in shadow roots.
    if (!before.includes(control)) return false;
    const isShown = (stop: Element) => stop.isConnected && dom.isShown(stop, { visibilityProperty: true }) && !dom.matches(stop, "[inert], [inert] *");
    const remaining = before.filter((stop) => stop === control || isShown(stop));
    const active = document.activeElement;
    if (!active || active === document.body || active === document.documentElement) return remaining.length - 1 - remaining.indexOf(control) > near;
    if (remaining.includes(active)) return Math.abs(remaining.indexOf(active) - remaining.indexOf(control)) > near;
    // A part of the page was created again.
    const now = [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, iframe, [tabindex]")].filter((stop) => stop.tabIndex >= 0 && isShown(stop) && !dom.matches(stop, ":disabled, [inert], [inert] *"));
    return before.indexOf(control) - now.indexOf(active as HTMLElement) > near;
  }
}

/** May the appeared content tell that a request has failed? It is new in the document, or short and looks like an error message. */
export function mayTellFailure(): boolean {
  const { rampeOpenings: state, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const longest = 400;
  const words =
    /could ?n[o’']t|cannot|can[’']t|unable|fail|went wrong|try again|error|no (internet|network|connection)|offline|konnten? nicht|nicht (geladen|gefunden|möglich|verfügbar|erreichbar)|fehl(er|geschlagen)|schief|erneut|noch einmal|keine (internet|netz|verbindung)/iu;
  if (!state || !state.news.every((element) => state.present.has(element))) return true;
  return state.appeared.some((root) => {
    const text = dom.text(root).replace(/\s+/g, " ").trim();
    const isMarked = dom.matches(root, "[role=alert], [role=alertdialog], [class*=error i], [class*=fehler i], [id*=error i]");
    return text.length <= longest && (isMarked || words.test(text));
  });
}

/** Forgets an opening. The outer control keeps the state of its first opening. */
export function forgetOpening(index: number): void {
  const state = (globalThis as unknown as OpeningGlobals).rampeOpenings;
  const control = state?.controls[index];
  if (!state || !control) return;
  state.openings.delete(control);
  const outer = state.outer.get(control);
  if (outer) state.restore(outer);
}

/** Returns the focus to the first element that the Tab key reached in a dialog, if it has left the document. */
export function focusVisited(): void {
  const { rampeOpenings: state, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const [first] = state?.visited ?? [];
  if (first?.isConnected && !document.hasFocus()) dom.focus(first, { preventScroll: true });
}

/** Is all appeared content gone, or are its modal dialogs? */
export function isClosed(): boolean {
  const { rampeOpenings: state, rampeSight: sight, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const shown = sight.look();
  const dialogs = state?.dialogs ?? [];
  if (dialogs.length > 0 && dialogs.every((modal) => !modal.isConnected || !dom.isShown(modal, { visibilityProperty: true, opacityProperty: true }))) return true;
  return state?.appeared.every((root) => !root.isConnected || ![root, ...dom.inside(root, "*")].some((each) => shown.has(each))) ?? true;
}

export function noteClosed(index: number, closedBy: ClosedBy): void {
  const state = (globalThis as unknown as OpeningGlobals).rampeOpenings;
  const opening = state?.openings.get(state.controls[index] as Element);
  if (opening) opening.closedBy = closedBy;
}

/**
 * Keeps the focused element behind a modal dialog, after a key in the dialog.
 * @param isFirst first key in this direction
 */
export function noteLeft(index: number, by: "Tab" | "Shift+Tab", isFirst: boolean): PlaceInDialog | "behind" {
  const { rampeOpenings: state, rampeSight: sight, rampeDom: dom } = globalThis as unknown as OpeningGlobals;
  const opening = state?.openings.get(state.controls[index] as Element);
  const active = dom.focused();
  // Only the document of an inner frame can lose the focus to another one.
  if (state && opening && !document.hasFocus()) return "again";
  if (!state || !opening || !active) return "inside";
  const modals = state.modals(state.controls[index] as Element);
  if (modals.length === 0 || [...modals, ...state.appeared].some((element) => sight.holds(element, active)) || !state.shown.has(active)) {
    if (isFirst) state.visited = [];
    if (state.visited.at(-1) === active) return "same";
    if (state.visited.includes(active)) return "again";
    state.visited.push(active);
    return "inside";
  }
  opening.leftTo = active;
  if (by === "Shift+Tab") opening.isLeftBack = true;
  return "behind";
}
