/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { FocusTrial, HoverGlobals, HoverReason, HoverTrial } from "./hover-log";

export interface Point {
  x: number;
  y: number;
}

export interface ReadyTrigger {
  /** Point at which a pointer hits the element. */
  point: Point;
  reason: HoverReason;
}

/** Content that has appeared while the pointer is on an element. */
export interface HoverContent {
  covers?: string;
  /** The content is an error message, which need not go away. */
  isError: boolean;
  mayClose: boolean;
  /** Point in the content, as close to the pointer as possible; undefined if it is far away, or out of the window. */
  target?: Point;
  /** Distance between the element and its content, in CSS pixels. */
  gap: number;
}

/**
 * Scrolls to an element, and keeps the visible content before it is hovered.
 * @returns undefined if it cannot be hovered, or if one of its kind has been tried
 */
export function readyTrigger(index: number): ReadyTrigger | undefined {
  const { rampeHover: state, rampeSight: sight, rampeDom: dom } = globalThis as unknown as HoverGlobals;
  const trigger = state?.triggers[index];
  if (!state || !trigger?.element.isConnected || state.triedKinds.has(trigger.kind)) return undefined;
  const { element, reason } = trigger;
  Element.prototype.scrollIntoView.call(element, { block: "center", behavior: "instant" });
  const { left, top, width, height } = dom.box(element);
  const shares = [0.5, 0.25, 0.75, 0.1];
  const points = shares.flatMap((y) => shares.map((x) => ({ x: left + width * x, y: top + height * y })));
  const root = dom.root(element) as Document | ShadowRoot;
  const point = points.find(({ x, y }) => dom.contains(element, root.elementFromPoint(x, y)));
  if (!point) return undefined;
  state.shown = sight.look();
  state.present = new Set(dom.roots().flatMap((each) => [...each.querySelectorAll("*")]).filter((each) => sight.hasOwnContent(each)));
  delete state.content;
  return { point, reason };
}

/** Scrolls to an element. @returns corner of the window outside of it, where the pointer shows nothing of it */
export function pointAway(index: number): Point {
  const { rampeHover: state, rampeDom: dom } = globalThis as unknown as HoverGlobals;
  const element = state?.triggers[index]?.element;
  if (element?.isConnected) Element.prototype.scrollIntoView.call(element, { block: "center", behavior: "instant" });
  const [right, bottom] = [innerWidth - 1, innerHeight - 1];
  const corners = [[0, 0], [0, bottom], [right, 0], [right, bottom]].map(([x = 0, y = 0]) => ({ x, y }));
  const isOutside = ({ x, y }: Point) => !element || !dom.contains(element, (dom.root(element) as Document | ShadowRoot).elementFromPoint(x, y));
  return corners.find(isOutside) ?? { x: 0, y: 0 };
}

/** Keeps the content that has appeared since. @returns whether there is content to judge, and whether all of it was in the document before */
export function noteContent(index: number): { isThere: boolean; wasPresent: boolean } {
  const { rampeHover: state, rampeSight: sight, rampeDom: dom } = globalThis as unknown as HoverGlobals;
  const element = state?.triggers[index]?.element;
  if (!state || !element) return { isThere: false, wasPresent: false };
  const news = [...sight.look()].filter((each) => !state.shown.has(each) && each !== element && !dom.contains(each, element));
  if (news.length === 0) return { isThere: false, wasPresent: false };
  const roots = sight.outermost(news, state.shown, element).filter((root) => isAdditional(root, element));
  state.content = roots.sort((one, other) => textOf(other).length - textOf(one).length)[0];
  return { isThere: state.content !== undefined, wasPresent: news.every((each) => state.present.has(each)) };

  function textOf(root: Element): string {
    return dom.text(root).trim();
  }

  /** Excludes dialogs, and pictures or buttons that appear on a card. */
  function isAdditional(root: Element, trigger: Element): boolean {
    const box = dom.box(root);
    if (textOf(root) === "" && !dom.matches(root, "img, :has(img)")) return false;
    if (box.width < 8 || box.height < 8 || dom.matches(root, "dialog, [role=dialog], [aria-modal=true], script, style")) return false;
    let around = dom.parent(root);
    while (around && !dom.contains(around, trigger)) around = dom.parent(around);
    if (!around || dom.matches(around, "html, body, main")) return true;
    const holder = dom.box(around);
    const width = Math.min(box.right, holder.right) - Math.max(box.left, holder.left);
    const height = Math.min(box.bottom, holder.bottom) - Math.max(box.top, holder.top);
    const share = (Math.max(0, width) * Math.max(0, height)) / (box.width * box.height);
    return share < 0.9 || holder.width * holder.height > innerWidth * innerHeight * 0.5;
  }
}

/** Is any part of the appeared content still visible? */
export function isContentShown(): boolean {
  const { rampeHover: state, rampeSight: sight, rampeDom: dom } = globalThis as unknown as HoverGlobals;
  const content = state?.content;
  if (!content?.isConnected) return false;
  const shown = sight.look();
  return [content, ...dom.inside(content, "*")].some((each) => shown.has(each));
}

/** Would the pointer still hit the element at a point? */
export function isHit(index: number, { x, y }: Point): boolean {
  const { rampeHover, rampeDom: dom } = globalThis as unknown as HoverGlobals;
  const element = rampeHover?.triggers[index]?.element;
  const hit = element && (dom.root(element) as Document | ShadowRoot).elementFromPoint(x, y);
  return hit !== null && hit !== undefined && dom.contains(element as Element, hit);
}

/** @param pointer position of the pointer */
export function describeContent(index: number, pointer: Point): HoverContent | undefined {
  const { rampeHover: state, rampeDom: dom } = globalThis as unknown as HoverGlobals;
  const [element, content] = [state?.triggers[index]?.element, state?.content];
  if (!state || !element || !content) return undefined;
  const farAway = 40;
  const inset = 4;
  const letters = /\p{L}|\p{N}/u;
  const holds = (outer: Element | undefined, inner: Element | null) => outer !== undefined && dom.contains(outer, inner);
  const box = dom.box(content);
  const trigger = dom.box(element);
  const gap = Math.hypot(Math.max(0, box.left - trigger.right, trigger.left - box.right), Math.max(0, box.top - trigger.bottom, trigger.top - box.bottom));
  return { covers: covered(), isError: isError(), mayClose: mayClose(), target: gap > farAway ? undefined : target(), gap: Math.round(gap) };

  function isError(): boolean {
    return (content && dom.closest(content, "[role=alert]") !== null) || (element && dom.matches(element, "[aria-invalid=true]")) === true;
  }

  /** May a click close the content? A link leads away instead; an element without a control or a known listener does nothing. */
  function mayClose(): boolean {
    const closing = /clos|schließ|dismiss|ausblend|hide|[×✕✖]/i;
    const nameOf = (each: Element) => `${dom.text(each)} ${each.getAttribute("aria-label")} ${each.getAttribute("title")} ${String(each.className)}`;
    if ((content ? dom.inside(content, "button, [role=button]") : []).some((each) => closing.test(nameOf(each)))) return true;
    const link = element && (dom.matches(element, "a[href]") ? element : dom.first(element, "a[href]"));
    if (link && !holds(content, link) && !/^(#|javascript:)/.test(link.getAttribute("href") ?? "#")) return false;
    const listeners = (globalThis as unknown as HoverGlobals).rampeListeners;
    const hears = (node: Node) => (listeners?.get(node) ?? []).some((type) => /^(click|mouse|pointer)/.test(type));
    const parts = element ? [element, ...dom.inside(element, "*")].filter((each) => !holds(content, each)) : [];
    const controls = "button, a[href], input, select, textarea, summary, label, [role=button], [role=link], [onclick], [aria-expanded], [aria-haspopup]";
    if (listeners === undefined || parts.some((each) => hears(each) || dom.matches(each, controls))) return true;
    // Content that a script shows may be hidden by a script that listens to clicks on the whole page.
    return state?.triggers[index]?.reason !== "style" && [...listeners.keys()].some((node) => dom.contains(node, element ?? null) && hears(node));
  }

  function target(): Point | undefined {
    const [left, right] = [Math.max(0, box.left) + inset, Math.min(innerWidth, box.right) - inset];
    const [top, bottom] = [Math.max(0, box.top) + inset, Math.min(innerHeight, box.bottom) - inset];
    if (left > right || top > bottom) return undefined;
    const closest = { x: Math.min(Math.max(pointer.x, left), right), y: Math.min(Math.max(pointer.y, top), bottom) };
    const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
    // Content with `pointer-events: none` is never hit; otherwise the point is covered.
    return [closest, middle].find(({ x, y }) => isIn(dom.stackAt(x, y)[0] ?? null) || !isHitAtAll()) ?? undefined;
  }

  function isIn(hit: Element | null): boolean {
    return hit !== null && holds(content, hit);
  }

  function isHitAtAll(): boolean {
    return content !== undefined && getComputedStyle(content).pointerEvents !== "none";
  }

  /** Text or control of the page below the content; blank parts of the page do not count. */
  function covered(): string | undefined {
    const [leastHits, mostSteps] = [3, 24];
    const painted = paintedBoxes();
    const hits = new Map<Element, number>();
    const [stepX, stepY] = [Math.max(8, box.width / mostSteps), Math.max(8, box.height / mostSteps)];
    let total = 0;
    for (let y = box.top + stepY / 2; y < box.bottom; y += stepY) {
      for (let x = box.left + stepX / 2; x < box.right; x += stepX) {
        if (!painted.some((each) => contains(each, x, y))) continue;
        const below = belowAt(x, y);
        if (!below || !isSomething(below, x, y)) continue;
        hits.set(below, (hits.get(below) ?? 0) + 1);
        total += 1;
      }
    }
    const [most] = [...hits].sort(([, one], [, other]) => other - one);
    return most && total >= leastHits ? wordsOf(most[0]) : undefined;
  }

  /** Boxes of the drawn parts of the content, which hide the page below. */
  function paintedBoxes(): DOMRect[] {
    const mostParts = 300;
    const parts = content ? [content, ...dom.inside(content, "*")].slice(0, mostParts) : [];
    return parts.flatMap((part) => {
      const { backgroundColor, backgroundImage, visibility } = getComputedStyle(part);
      if (visibility !== "visible") return [];
      const isFilled = backgroundImage !== "none" || !/^(transparent|rgba\(.*, 0(\.[0-4]\d*)?\))$/.test(backgroundColor);
      return isFilled || dom.matches(part, "img, svg, canvas, video, input, button") ? [dom.box(part)] : linesOf(part);
    });
  }

  /** @returns topmost element of the page below the content; undefined if the content is below it */
  function belowAt(x: number, y: number): Element | undefined {
    const stack = dom.stackAt(x, y);
    if (isHitAtAll() && !isIn(stack[0] ?? null)) return undefined;
    const below = stack.find((each) => !holds(content, each));
    return below && !holds(element, below) && !holds(dom.closest(below, "label, a, button") ?? undefined, element ?? null) ? below : undefined;
  }

  function isSomething(below: Element, x: number, y: number): boolean {
    if (dom.matches(below, "input, select, textarea, button, video, canvas, iframe, img[alt]:not([alt='']), [role=img][aria-label]")) return true;
    return linesOf(below).some((line) => contains(line, x, y));
  }

  function linesOf(part: Element): DOMRect[] {
    const texts = dom.nodes(part).filter((node): node is Text => node instanceof Text && letters.test(node.data));
    return texts.flatMap((text) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return [...range.getClientRects()];
    });
  }

  function contains({ left, right, top, bottom }: DOMRect, x: number, y: number): boolean {
    return x >= left && x <= right && y >= top && y <= bottom;
  }

  function wordsOf(below: Element): string {
    const longest = 60;
    const words = dom.nodes(below).map((node) => (node instanceof Text ? node.data : "")).join(" ").replace(/\s+/g, " ").trim();
    const text = words || (dom.attribute(below, "alt") ?? dom.attribute(below, "aria-label") ?? dom.text(below)).replace(/\s+/g, " ").trim() || dom.localName(below);
    return text.length > longest ? `${text.slice(0, longest)} …` : text;
  }
}

/** Focuses the element, so that it receives keys. @returns whether it has the focus */
export function focusTrigger(index: number): boolean {
  const { rampeHover, rampeDom: dom } = globalThis as unknown as HoverGlobals;
  const element = rampeHover?.triggers[index]?.element;
  const stop = element && [element, ...dom.inside(element, "a[href], button, [tabindex]")].find(({ tabIndex }) => tabIndex >= 0);
  if (stop) dom.focus(stop, { preventScroll: true });
  return stop ? dom.matches(stop, ":focus") : false;
}

/** Is the focus still on the element that got it? */
export function hasFocus(index: number): boolean {
  const { rampeHover, rampeDom: dom } = globalThis as unknown as HoverGlobals;
  const element = rampeHover?.triggers[index]?.element;
  return element !== undefined && dom.matches(element, ":focus-within");
}

export function dropFocus(): void {
  (document.activeElement as HTMLElement | null)?.blur();
}

export function noteHover(index: number, trial: HoverTrial): void {
  const state = (globalThis as unknown as HoverGlobals).rampeHover;
  const trigger = state?.triggers[index];
  if (!state || !trigger) return;
  state.trials.set(trigger.element, trial);
  state.triedKinds.add(trigger.kind);
}

export function noteFocusContent(index: number, trial: FocusTrial): void {
  const state = (globalThis as unknown as HoverGlobals).rampeHover;
  const trigger = state?.triggers[index];
  if (!state || !trigger) return;
  state.focusTrials.set(trigger.element, trial);
  state.triedKinds.add(trigger.kind);
}
