/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";

/** Observations about one element during a walk with the Tab key. */
export interface Stop {
  /** Position in the walk, from 1. */
  position: number;
  /** The element lost the focus at once. */
  loses?: true;
  /** The element is hidden from assistive technology (`aria-hidden`), also while it has the focus. */
  isHidden?: true;
  /** Neither Tab, Shift+Tab nor Escape moved the focus away. */
  traps?: true;
  /** Address that the page tried to open because of the focus alone. */
  leavesTo?: string;
  /** Fixed content that hides the whole focused element. */
  coveredBy?: Element;
  /** Fixed content that hides a part of the focused element. */
  partlyCoveredBy?: Element;
  /** The same two values on the way back from the end of the page. */
  onReturn?: { coveredBy?: Element; partlyCoveredBy?: Element };
  /** The styles of the focused element draw an outline. */
  isOutlined: boolean;
  /** The outline is not the browser's default. */
  hasOwnOutline?: true;
  /** Styles of the focused element, outline included. */
  look: string;
  /** The element has the same outline, and the same styles, while another element has the focus. */
  keepsOutline?: true;
  /** Do pictures of the page with and without the focus differ? Undefined if not measured. */
  looksDifferent?: boolean;
  /** Reason why the focused element is hidden: no area, outside of the window, clipped or transparent. Pictures decide whether it is visible. */
  hiding?: Hiding;
  /** Pictures of the window with and without the focus on a hidden element are the same; undefined if not measured. */
  isUnseen?: boolean;
  /** Changes of the element's picture by the focus; undefined if not measured, or if nothing near it changes. */
  change?: FocusChange;
}

/** `empty`: no box with an area. */
type Hiding = "outside" | "clipped" | "transparent" | "empty";

/** Difference of two pictures of an element, with and without the focus. */
export interface FocusChange {
  /** Highest contrast between the two colours of a pixel, from 1 to 21. */
  contrast: number;
  /** Share of the element's area whose colour changes. */
  share: number;
  /** The surroundings of the element change, too. */
  isAround: boolean;
  /** Area in which the two colours have a contrast of at least 3:1, with the surroundings, in square CSS pixels. */
  clearArea: number;
}

export interface WalkGlobals {
  rampeWalk?: {
    stops: Map<Element, Stop>;
    /** Elements in the order of their first focus. */
    order: Element[];
    /** Elements that got the focus since the last look. */
    focused: Element[];
    /** Elements to which a script moved the focus, by the control that had got it from a key. */
    moved: Map<Element, Element>;
    /** Focused element at the last look. */
    last?: Element;
    /** Reason why the element is hidden now; undefined if it is visible, according to styles and boxes. */
    hidingOf(element: Element): Hiding | undefined;
    /** Box of an element in the window of the page; undefined if that shows not all of it, because of the frames around it, or if they cannot be read. */
    boxInWindow(element: Element): DOMRect | undefined;
    /** Window of the page, also in an inner frame. */
    window: Window;
    /** Outermost frame element around this document in the page; undefined outside of frames. */
    frame: Element | undefined;
  };
}

/** Place of the focus after a key. `outside`: outside of the document; `nothing`: on no element; `frame`: in an inner frame. */
export interface FocusPlace {
  kind: "outside" | "nothing" | "frame" | "element";
  /** Index of the element in the order of the walk. */
  index: number;
  /** Hidden behind fixed content, wholly or in part, according to one look. */
  isCovered: boolean;
  /** The focus is in a dialog, or in a box over the page. */
  isInOverlay: boolean;
  /** The browser, or a closed shadow root, may give the focus to several parts of the element. */
  hasInnerStops: boolean;
}

/**
 * Starts a walk, also in an inner frame.
 * @returns whether an element has the focus already, and whether the page around the frame can be read
 */
export function beginWalk(): { hasFocus: boolean; isReadable: boolean } {
  const { rampeDom: dom } = globalThis as unknown as DomGlobals;
  const around = framesAround();
  const [outermost] = around?.slice(-1) ?? [];
  const walk: NonNullable<WalkGlobals["rampeWalk"]> = {
    ...{ stops: new Map(), order: [], focused: [], moved: new Map(), hidingOf, boxInWindow, frame: outermost },
    window: outermost?.ownerDocument.defaultView ?? window,
  };
  (globalThis as WalkGlobals).rampeWalk = walk;
  document.addEventListener("focus", (event) => walk.focused.push(event.composedPath()[0] as Element), { capture: true, passive: true });
  // What a script focused before a key is not its effect.
  document.addEventListener("keydown", ({ isTrusted }) => { if (isTrusted) walk.focused = []; }, { capture: true, passive: true });
  const hasFocus = document.activeElement !== null && document.activeElement !== document.body && document.activeElement !== document.documentElement;
  return { hasFocus, isReadable: around !== undefined };

  /** Frames around this document, from the inside out; undefined if one belongs to another origin. */
  function framesAround(): Element[] | undefined {
    const frames: Element[] = [];
    try {
      for (let at: Window = window; at !== at.parent; at = at.parent) {
        if (!at.frameElement) return undefined;
        frames.push(at.frameElement);
      }
    } catch {
      return undefined;
    }
    return frames;
  }

  function boxInWindow(element: Element): DOMRect | undefined {
    let box = dom.box(element);
    let inner: Window = window;
    for (const frame of around ?? []) {
      const { left, top, width, height } = frame.getBoundingClientRect();
      const { offsetWidth, offsetHeight, clientLeft, clientTop, ownerDocument } = frame as HTMLElement;
      const { paddingLeft, paddingTop } = (ownerDocument.defaultView ?? window).getComputedStyle(frame);
      const isWhole = box.left >= 0 && box.top >= 0 && box.right <= inner.innerWidth && box.bottom <= inner.innerHeight;
      const isScaled = Math.abs(width - offsetWidth) > 1 || Math.abs(height - offsetHeight) > 1;
      if (!isWhole || isScaled) return undefined;
      box = new DOMRect(box.left + left + clientLeft + Number.parseFloat(paddingLeft), box.top + top + clientTop + Number.parseFloat(paddingTop), box.width, box.height);
      // Content over the frame hides it.
      if ((frame.getRootNode() as Document | ShadowRoot).elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) !== frame) return undefined;
      inner = ownerDocument.defaultView ?? window;
    }
    return box;
  }

  function hidingOf(element: Element): Hiding | undefined {
    const tiny = 2;
    if (!dom.isShown(element, { opacityProperty: true })) return "transparent";
    for (let at: Element | undefined = element; at; at = dom.composedParent(at) ?? undefined) if (isClipped(at)) return "clipped";
    const boxes = [element, ...dom.inside(element, "*")].map((each) => dom.box(each)).filter(({ width, height }) => width >= tiny && height >= tiny);
    if (boxes.length === 0) return "empty";
    return boxes.every(({ left, top, right, bottom }) => right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) ? "outside" : undefined;

    function isClipped(each: Element): boolean {
      const { clip, clipPath, position, overflowX, overflowY } = getComputedStyle(each);
      const { width, height } = dom.box(each);
      const isCutByBox = overflowX !== "visible" && overflowY !== "visible" && Math.max(width, height) < tiny;
      return isCutByBox || (/^rect\(([01]px[, ]*){4}\)/.test(clip) && /^(absolute|fixed)$/.test(position)) || /inset\((50|100)%/.test(clipPath);
    }
  }
}

/** Forgets all observations at the start of the page. */
export function restartWalk(): void {
  const walk = (globalThis as WalkGlobals).rampeWalk;
  if (!walk) return;
  walk.stops.clear();
  walk.moved.clear();
  walk.order.length = 0;
}

/**
 * Finds the focused element, and keeps observations about it.
 * @param isBack on the way back from the end of the page: for known elements, keeps only the content that covers them
 */
export function noteFocus(isBack = false): FocusPlace {
  const { rampeWalk: walk, rampeDom: dom } = globalThis as unknown as WalkGlobals & DomGlobals;
  if (!walk) throw new Error("No walk has begun.");
  const active = dom.focused();
  if (walk.last !== active) compareOutline(walk.last, active !== undefined);
  walk.last = active;
  const lost = walk.focused.at(-1);
  const [first] = walk.focused;
  walk.focused = [];
  if (!active) {
    // A page may remove the focused element on purpose.
    const isPage = lost === document.body || lost === document.documentElement;
    if (document.hasFocus() && lost && !isPage && isDrawn(lost) && !isBack) stopOf(lost).loses = true;
    return place(document.hasFocus() ? "nothing" : "outside");
  }
  if (/^(iframe|frame|object|embed)$/.test(dom.localName(active))) return { ...place("frame"), isInOverlay: overlayAround(active) !== undefined };
  if (first && !isBack && movesOn(first, active)) walk.moved.set(first, active);
  const stop = isBack ? walk.stops.get(active) : stopOf(active);
  const cover = coverOf(active);
  const covers = cover && { [cover.isWhole ? "coveredBy" : "partlyCoveredBy"]: cover.by };
  if (stop && isBack) stop.onReturn = covers;
  if (stop && !isBack) {
    delete stop.hiding;
    const hiding = walk.hidingOf(active);
    if (hiding) stop.hiding = hiding;
    delete stop.isHidden;
    if (dom.closest(active, "[aria-hidden=true]")) stop.isHidden = true;
    delete stop.coveredBy;
    delete stop.partlyCoveredBy;
    Object.assign(stop, covers);
  }
  const innerStops = "audio, video, input[type=date], input[type=time], input[type=datetime-local], input[type=month], input[type=week]";
  return {
    kind: "element",
    index: walk.order.indexOf(active),
    isCovered: cover !== undefined,
    isInOverlay: overlayAround(active) !== undefined,
    hasInnerStops: dom.matches(active, innerStops) || (dom.localName(active).includes("-") && !dom.shadow(active)),
  };

  function place(kind: FocusPlace["kind"]): FocusPlace {
    return { kind, index: -1, isCovered: false, isInOverlay: false, hasInnerStops: false };
  }

  function stopOf(element: Element): Stop {
    const known = walk?.stops.get(element);
    if (known) return known;
    const stop: Stop = { position: walk?.order.push(element) ?? 0, isOutlined: isOutlined(element), look: lookOf(element) };
    if (stop.isOutlined && getComputedStyle(element).outlineStyle !== "auto") stop.hasOwnOutline = true;
    walk?.stops.set(element, stop);
    return stop;
  }

  /** Does the outline stay without the focus? Then it does not show the focus. */
  function compareOutline(left: Element | undefined, isElsewhere: boolean): void {
    const stop = left && walk?.stops.get(left);
    // Styles in a transition have not changed yet.
    if (!left || !stop?.hasOwnOutline || dom.matches(left, ":focus") || Element.prototype.getAnimations.call(left).length > 0 || lookOf(left) !== stop.look) return;
    stop.isOutlined = false;
    if (isElsewhere) stop.keepsOutline = true;
    delete stop.hasOwnOutline;
  }

  function isOutlined(element: Element): boolean {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    const isSet = outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0 && !/^(transparent|rgba\(.*, 0\))$/.test(outlineColor);
    return isSet && (outlineStyle === "auto" || !isInColorOf(outlineColor, dom.parent(element)));
  }

  /** An outline in the colour of its background is invisible; pictures decide about it. */
  function isInColorOf(color: string, around: Element | null): boolean {
    const sameShade = 10;
    const isEmpty = (background: string) => /^(transparent|rgba\(.*, 0\))$/.test(background);
    let at = around;
    while (at && isEmpty(getComputedStyle(at).backgroundColor)) at = dom.parent(at);
    const [one, other] = [color, at ? getComputedStyle(at).backgroundColor : "rgb(255, 255, 255)"].map((paint) => paint.match(/[\d.]+/g)?.map(Number) ?? []);
    return one?.length === other?.length && one?.every((part, index) => Math.abs(part - (other?.[index] ?? 0)) <= sameShade) === true;
  }

  /** Styles without the offset of the outline, which the browser itself increases by 1 px. */
  function lookOf(element: Element): string {
    const { outlineStyle, outlineWidth, outlineColor, color, backgroundColor, backgroundImage, borderColor, borderWidth, boxShadow, textDecoration, fontWeight, transform } = getComputedStyle(element);
    return [outlineStyle, outlineWidth, outlineColor, color, backgroundColor, backgroundImage, borderColor, borderWidth, boxShadow, textDecoration, fontWeight, transform].join(" ");
  }

  /** Widgets, guards around dialogs and hidden fields pass the focus on for good reasons. */
  function movesOn(from: Element, to: Element): boolean {
    const controls = "a[href]:not([role]), button:not([role]), input:not([role], [type=radio]), select, textarea, summary";
    if (from === to || !dom.matches(from, controls) || dom.contains(from, to) || dom.contains(to, from)) return false;
    return isDrawn(from) && walk?.hidingOf(from) === undefined && overlayAround(from) === undefined;
  }

  function isDrawn(element: Element): boolean {
    const { width, height } = dom.box(element);
    return element.isConnected && width > 0 && height > 0;
  }

  /** Opaque fixed content that hides the element, or a part of it. */
  function coverOf(element: Element): { by: Element; isWhole: boolean } | undefined {
    const { left, top, width, height } = dom.box(element);
    const isOnScreen = left >= 0 && top >= 0 && left + width <= innerWidth && top + height <= innerHeight;
    if (!isOnScreen || width < 4 || height < 4 || getComputedStyle(element).pointerEvents === "none") return undefined;
    const shares = [0.1, 0.5, 0.9];
    const covers = shares.flatMap((x) => shares.map((y) => coverAt(element, left + width * x, top + height * y)));
    const by = covers.find((each) => each !== undefined);
    return by && { by, isWhole: covers.every((each) => each !== undefined) };
  }

  function coverAt(element: Element, x: number, y: number): Element | undefined {
    const root = dom.root(element) as Document | ShadowRoot;
    const hit = root.elementFromPoint(x, y);
    if (!hit || hit === element || dom.contains(element, hit) || dom.contains(hit, element) || dom.closest(hit, "label")?.contains(element)) return undefined;
    if (element instanceof HTMLInputElement && [...(element.labels ?? [])].some((label) => label.contains(hit))) return undefined;
    const fixed = fixedAround(hit);
    return fixed && !dom.contains(fixed, element) && isOpaque(hit, fixed) ? fixed : undefined;
  }

  function fixedAround(element: Element): Element | undefined {
    for (let at: Element | undefined = element; at; at = above(at)) {
      if (/^(fixed|sticky)$/.test(getComputedStyle(at).position)) return at;
    }
    return undefined;
  }

  /** Parent element, also across a shadow root. */
  function above(element: Element): Element | undefined {
    const root = dom.root(element);
    return dom.parent(element) ?? (root instanceof ShadowRoot ? root.host : undefined);
  }

  /** Does the hit element hide content behind it? */
  function isOpaque(hit: Element, fixed: Element): boolean {
    let hides = false;
    for (let at: Element | undefined = hit; at; at = above(at)) {
      const { backgroundColor, opacity } = getComputedStyle(at);
      if (Number(opacity) < 1) return false;
      hides ||= /^rgb\(/.test(backgroundColor);
      if (at === fixed) break;
    }
    return hides;
  }

  function overlayAround(element: Element): Element | undefined {
    for (let at: Element | undefined = element; at; at = above(at)) {
      if (dom.matches(at, "dialog, [role=dialog], [role=alertdialog], [aria-modal=true], [popover]")) return at;
    }
    const fixed = fixedAround(element);
    return fixed && getComputedStyle(fixed).position === "fixed" ? fixed : undefined;
  }
}

/** Is an opaque bar fixed at the top of a scrollable page? It may cover focused elements on the way back. */
export function hasBarAtTop(): boolean {
  const { rampeDom: dom } = globalThis as unknown as DomGlobals;
  const [across, down] = [[0.1, 0.5, 0.9], 4];
  if ((document.scrollingElement?.scrollHeight ?? 0) <= innerHeight) return false;
  return across.some((part) => {
    let at = document.elementFromPoint(innerWidth * part, down);
    while (at && !/^(fixed|sticky)$/.test(getComputedStyle(at).position)) at = dom.parent(at);
    return at !== null;
  });
}

/** Removes the focus from all elements, as at the end of the walk. */
export function dropFocus(): void {
  (document.activeElement as HTMLElement | null)?.blur();
}

/** @param indexes of elements that keep the focus */
export function noteTrap(indexes: number[]): void {
  const walk = (globalThis as WalkGlobals).rampeWalk;
  for (const index of indexes) {
    const stop = walk?.stops.get(walk.order[index] as Element);
    if (stop) stop.traps = true;
  }
}

/** @param index of the element whose focus opens another page */
export function noteLeaving(index: number, address: string): void {
  const walk = (globalThis as WalkGlobals).rampeWalk;
  const stop = walk?.stops.get(walk.order[index] as Element);
  if (stop) stop.leavesTo = address;
}

/** Forgets a cover that was there only for a moment. */
export function noteUncovered(index: number): void {
  const walk = (globalThis as WalkGlobals).rampeWalk;
  const stop = walk?.stops.get(walk.order[index] as Element);
  delete stop?.coveredBy;
  delete stop?.partlyCoveredBy;
}
