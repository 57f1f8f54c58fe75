/* This function runs inside a page, in an isolated world, after `defineMeasures`; it is sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";
import type { Box, Line, MeasureGlobals } from "./measures";

interface PlacedElement extends Box {
  element: Element;
}

/** A text that is drawn, and the element that hides it. */
export interface Covered {
  cover: Element;
  /** The cover is opaque, hides a whole line, and neither of them is a layer of its own. */
  isCertain: boolean;
  /** Positions of both with their ancestors: styles of the condition may make a layer of one. */
  positions: string;
}

/** Texts that the paint of other elements hides. */
interface Covers {
  /** Elements that lie over or under texts; undefined on a page with too many elements at one height. */
  meet(lines: Line[]): Map<Element, Set<Element>> | undefined;
  /** Texts that elements hide which did not meet them before. Scrolls the page. */
  find(lines: Line[], before: Map<Element, Set<Element>> | undefined): Map<Element, Covered>;
  /** In the usual condition: forgets texts that are covered or missing here, too; keeps one for each cover. Scrolls the page. */
  confirm(found: Map<Element, Covered>, lines: Line[]): void;
  /** In the condition again: forgets texts that are covered no longer. Scrolls the page. */
  repeat(found: Map<Element, Covered>, lines: Line[]): void;
}

export interface CoverGlobals {
  rampeCovers?: Covers;
}

/** Bounds of the hit tests: texts, lines of each, and places of a line, in parts of its width and height. */
export const HIT_TESTS = { texts: 20, lines: 4, across: [0.1, 0.3, 0.5, 0.7, 0.9], down: [0.3, 0.7] };

/** @param bounds `HIT_TESTS` */
export function defineCovers(bounds: typeof HIT_TESTS): void {
  const mostComparisons = 1_000_000;
  /** Sides of an element that can hide a letter, in CSS pixels. */
  const leastSide = 8;
  /** Parts of the places of a line, or of a box, that count as hidden. */
  const [leastHidden, nearlyAll] = [0.3, 0.9];
  const globals = globalThis as unknown as CoverGlobals & MeasureGlobals & DomGlobals;
  const { rampeDom: dom } = globals;
  globals.rampeCovers = { meet, find, confirm, repeat };

  function meet(lines: Line[]): Map<Element, Set<Element>> | undefined {
    const pairs = new Map<Element, Set<Element>>();
    const boxes = boxesInPage();
    const around = new Map<Element, Set<Element>>();
    let [next, comparisons, open] = [0, 0, [] as PlacedElement[]];
    for (const line of [...lines].sort((a, b) => a.top - b.top)) {
      for (let box = boxes[next]; box && box.top < line.bottom; box = boxes[next]) {
        open.push(box);
        next += 1;
      }
      open = open.filter(({ bottom }) => bottom > line.top);
      comparisons += open.length;
      if (comparisons > mostComparisons) return undefined;
      const height = line.bottom - line.top;
      for (const { element, left, right, top, bottom } of open) {
        const [across, down] = [Math.min(right, line.right) - Math.max(left, line.left), Math.min(bottom, line.bottom) - Math.max(top, line.top)];
        if (Math.min(across, down) < height / 2 || ancestorsOf(line.holder, around).has(element) || ancestorsOf(element, around).has(line.holder)) continue;
        pairs.set(line.holder, (pairs.get(line.holder) ?? new Set()).add(element));
      }
    }
    return pairs;
  }

  /** Boxes of all elements that may cover text, the uppermost first. */
  function boxesInPage(): PlacedElement[] {
    const found: PlacedElement[] = [];
    for (const root of dom.roots()) {
      for (const element of root.querySelectorAll(root === document ? "body *" : "*")) {
        // Shapes belong to their drawing.
        if (element instanceof SVGElement && dom.localName(element) !== "svg") continue;
        const { left, top, right, bottom, width, height } = dom.box(element);
        if (Math.min(width, height) < leastSide) continue;
        found.push({ element, left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY });
      }
    }
    return found.sort((a, b) => a.top - b.top);
  }

  /** The element and those around it. @param known results so far */
  function ancestorsOf(element: Element, known = new Map<Element, Set<Element>>()): Set<Element> {
    const found = known.get(element) ?? new Set<Element>();
    if (known.has(element)) return found;
    for (let at: Element | null = element; at; at = dom.composedParent(at)) found.add(at);
    known.set(element, found);
    return found;
  }

  function find(lines: Line[], before: Map<Element, Set<Element>> | undefined): Map<Element, Covered> {
    const found = new Map<Element, Covered>();
    const now = before && meet(lines);
    if (!now) return found;
    const paints = new Map<Element, ReturnType<typeof paintOf>>();
    const isPainted = (each: Element) => {
      if (!paints.has(each)) paints.set(each, paintOf(each));
      return paints.get(each) !== "none";
    };
    let count = 0;
    for (const [holder, elements] of now) {
      const fresh = [...elements].filter((each) => !before.get(holder)?.has(each) && isPainted(each) && mayHide(each, holder));
      if (fresh.length === 0) continue;
      count += 1;
      if (count > bounds.texts) break;
      const result = hiddenBy(holder, fresh, lines);
      if (result) found.set(holder, result);
    }
    scrollTo({ top: 0, left: 0, behavior: "instant" });
    return found;
  }

  /** Paint of an element that would hide what lies below. */
  function paintOf(element: Element): "opaque" | "perhaps" | "none" {
    const { backgroundColor, backgroundImage, backgroundClip, maskImage } = getComputedStyle(element);
    const name = dom.localName(element);
    // Pictures may be transparent in places, except photographs.
    if (element instanceof HTMLImageElement) {
      if (!element.complete || element.naturalWidth === 0) return "none";
      const isPhotograph = /^data:image\/jpeg|\.jpe?g([?#]|$)/i.test(element.currentSrc) && /fill|cover/.test(getComputedStyle(element).objectFit);
      return isPhotograph && maskImage === "none" ? "opaque" : "perhaps";
    }
    if (/^(canvas|svg|video|iframe|object|embed)$/.test(name)) return "perhaps";
    if (/text/.test(backgroundClip)) return "none";
    const isTransparent = /^(transparent|rgba\(.*, 0\))$|\/ 0\)$/.test(backgroundColor);
    const isOpaque = !isTransparent && !/^rgba|\//.test(backgroundColor) && maskImage === "none";
    if (isOpaque) return "opaque";
    return isTransparent && backgroundImage === "none" ? "none" : "perhaps";
  }

  /** Can the element hide a text without intent, and for good? */
  function mayHide(cover: Element, holder: Element): boolean {
    const measures = globals.rampeMeasures;
    // The page scrolls below fixed bars; boxes that can be scrolled show their text elsewhere.
    if (!measures || measures.isFixed(cover) || measures.isFixed(holder) || scrollerOf(cover) !== scrollerOf(holder)) return false;
    if (!dom.isShown(cover, { visibilityProperty: true, opacityProperty: true }) || dom.closest(holder, "[aria-hidden=true], [inert]")) return false;
    const [text, over] = branches(holder, cover);
    const label = dom.closest(holder, "label");
    if (label instanceof HTMLLabelElement && label.control === cover) return false;
    const isMoving = (each: Element) => Element.prototype.getAnimations.call(each).some(({ playState }) => playState === "running");
    const isOnPurpose = (each: Element) => isLayerByName(each) || isMoving(each) || getComputedStyle(each).backfaceVisibility === "hidden";
    if (isSlide(holder) || [...text, ...over].some(isOnPurpose) || over.some((each) => measures.canBeClosed(each))) return false;
    const [under, above] = [text.at(-1) ?? holder, over.at(-1) ?? cover];
    // Parts of one size in one place are shown in turn.
    if (isSamePlace(under, above)) return false;
    // A layer that lies wholly below another one is closed, such as a menu behind the page.
    return !text.some(isLayer) || (!isSamePlace(holder, cover) && shareOf(under, above) < nearlyAll);
  }

  /** Elements around both, up to what contains both; the outermost last. */
  function branches(one: Element, other: Element): [Element[], Element[]] {
    const [ones, others] = [ancestorsOf(one), ancestorsOf(other)];
    return [[...ones].filter((each) => !others.has(each)), [...others].filter((each) => !ones.has(each))];
  }

  function isLayerByName(element: Element): boolean {
    const roles = ["dialog", "alertdialog", "tooltip", "menu", "listbox", "tabpanel"].map((role) => `[role=${role}]`);
    return dom.matches(element, ["dialog", "[popover]", "[aria-modal=true]", ...roles].join());
  }

  /** Is the element in a part of the page whose contents change places? */
  function isSlide(element: Element): boolean {
    const names = /carousel|slide[rs]?(?![a-z])|slideshow|swiper|slick|splide|flickity|glide|marquee|(?<![a-z])(ticker|flip)/i;
    const namesOf = (each: Element) => [dom.attribute(each, "class"), dom.attribute(each, "aria-roledescription"), dom.localName(each)].join(" ");
    return [...ancestorsOf(element)].some((each) => each !== document.body && each !== document.documentElement && names.test(namesOf(each)));
  }

  /** Innermost box around an element that can be scrolled, other than the page. */
  function scrollerOf(element: Element): Element | undefined {
    return [...ancestorsOf(element)].find((each) => {
      if (each === element || each === document.body || each === document.documentElement) return false;
      const { overflowX, overflowY } = getComputedStyle(each);
      const { width, height, seenWidth, seenHeight } = dom.scroll(each);
      return (/auto|scroll/.test(overflowX) && width > seenWidth + 1) || (/auto|scroll/.test(overflowY) && height > seenHeight + 1);
    });
  }

  function isSamePlace(one: Element, other: Element): boolean {
    const least = 0.8;
    return shareOf(one, other) >= least && shareOf(other, one) >= least;
  }

  /** Part of an element's box that lies in another one's. */
  function shareOf(element: Element, other: Element): number {
    const [inner, outer] = [dom.box(element), dom.box(other)];
    const width = Math.min(inner.right, outer.right) - Math.max(inner.left, outer.left);
    const height = Math.min(inner.bottom, outer.bottom) - Math.max(inner.top, outer.top);
    return width > 0 && height > 0 ? (width * height) / (inner.width * inner.height) : 0;
  }

  /** Is the element placed by its author, other than by the flow of the page? */
  function isLayer(element: Element): boolean {
    const { position, transform, zIndex } = getComputedStyle(element);
    return position === "absolute" || transform !== "none" || (position !== "static" && Number(zIndex) < 0);
  }

  function hiddenBy(holder: Element, covers: Element[], lines: Line[]): Covered | undefined {
    const boxes = covers.map((each) => dom.box(each)).map(({ top, bottom }) => ({ top: top + scrollY, bottom: bottom + scrollY }));
    const own = lines.filter((line) => line.holder === holder);
    const met = own.filter(({ top, bottom }) => boxes.some((box) => box.top < bottom && box.bottom > top));
    const leastHits = (bounds.across.length * bounds.down.length) / 2;
    let most: { cover: Element; share: number; isOpaque: boolean } | undefined;
    for (const line of (globals.rampeMeasures?.seenParts(met) ?? []).slice(0, bounds.lines)) {
      const hits = hitsOn(line).map((above) => above.filter((each) => covers.includes(each)));
      const hidden = hits.filter((above) => above.length > 0);
      const isOpaque = hidden.every((above) => above.some((each) => isOpaqueOver(each, holder)));
      const cover = hidden[0]?.find((each) => isOpaqueOver(each, holder)) ?? hidden[0]?.[0];
      const share = hits.length >= leastHits ? hidden.length / hits.length : 0;
      // A short word may be a number or a mark.
      const isWord = line.right - line.left >= 2 * (line.bottom - line.top);
      if (cover && share > (most?.share ?? 0)) most = { cover, share, isOpaque: isOpaque && isWord };
    }
    if (!most || most.share < leastHidden) return undefined;
    const [text, over] = branches(holder, most.cover);
    // A picture may take the place of the words.
    const control = dom.closest(holder, "a, button, label, summary, nav");
    const isInOneControl = control !== null && ancestorsOf(most.cover).has(control);
    const isCertain = most.isOpaque && most.share >= nearlyAll && !text.some(isLayer) && !isInOneControl;
    return { cover: most.cover, isCertain, positions: positionsOf([...text, ...over]) };
  }

  /** Elements above the text at places of a line, except those around it; no entry for places at which the text cannot be hit. */
  function hitsOn(line: Line): Element[][] {
    const [width, height] = [line.right - line.left, line.bottom - line.top];
    scrollTo({ left: line.left + width / 2 - innerWidth / 2, top: line.top + height / 2 - innerHeight / 2, behavior: "instant" });
    const around = ancestorsOf(line.holder);
    return bounds.across.flatMap((across) =>
      bounds.down.flatMap((down) => {
        const stack = dom.stackAt(line.left + width * across - scrollX, line.top + height * down - scrollY);
        const at = stack.indexOf(line.holder);
        const hides = (each: Element) => !around.has(each) && paintOf(each) !== "none" && !ancestorsOf(each).has(line.holder);
        return at < 0 ? [] : [stack.slice(0, at).filter(hides)];
      }),
    );
  }

  /** Is nothing to be seen through the element, nor through those around it? */
  function isOpaqueOver(cover: Element, holder: Element): boolean {
    const [, over] = branches(holder, cover);
    const isWhole = (each: Element) => {
      const { opacity, mixBlendMode, maskImage, filter } = getComputedStyle(each);
      return Number(opacity) === 1 && mixBlendMode === "normal" && maskImage === "none" && filter === "none";
    };
    return paintOf(cover) === "opaque" && over.every(isWhole);
  }

  function positionsOf(elements: Element[]): string {
    const describe = ({ position, display }: CSSStyleDeclaration) => `${position} ${display === "none"}`;
    return elements.map((each) => describe(getComputedStyle(each))).join();
  }

  function confirm(found: Map<Element, Covered>, lines: Line[]): void {
    for (const [holder, covered] of found) {
      const own = globals.rampeMeasures?.seenParts(lines.filter((line) => line.holder === holder)) ?? [];
      const hits = own.slice(0, bounds.lines * 2).flatMap(hitsOn);
      if (hits.length === 0 || hits.some((above) => above.length > 0)) {
        found.delete(holder);
        continue;
      }
      const [text, over] = branches(holder, covered.cover);
      const isSame = positionsOf([...text, ...over]) === covered.positions && dom.isShown(covered.cover, { visibilityProperty: true });
      covered.isCertain &&= isSame;
    }
    const texts = [...found].sort(([, one], [, other]) => Number(other.isCertain) - Number(one.isCertain));
    for (const [holder, { cover }] of texts) if (texts.find(([, other]) => other.cover === cover)?.[0] !== holder) found.delete(holder);
    scrollTo({ top: 0, left: 0, behavior: "instant" });
  }

  function repeat(found: Map<Element, Covered>, lines: Line[]): void {
    for (const [holder, { cover, isCertain }] of found) {
      const now = hiddenBy(holder, [cover], lines);
      if (now) found.set(holder, { ...now, isCertain: isCertain && now.isCertain });
      else found.delete(holder);
    }
    scrollTo({ top: 0, left: 0, behavior: "instant" });
  }
}
