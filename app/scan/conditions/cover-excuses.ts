/* This function runs inside a page, in an isolated world, after `defineMeasures`; it is sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";
import type { MeasureGlobals } from "./measures";

/** Reasons for which an element hides a text on purpose, not at all, or not for good. */
interface Excuses {
  /** Paint of an element that would hide what lies below. */
  paintOf(element: Element): "opaque" | "perhaps" | "none";
  /** Elements around both, up to what contains both; the outermost last. */
  branches(one: Element, other: Element): [Element[], Element[]];
  /** Is the element placed by its author, other than by the flow of the page? */
  isLayer(element: Element): boolean;
  /** A test of the page as it is: can an element hide a text without intent, and for good? It remembers what it has read of elements. */
  openTest(): CoverTest;
}

interface CoverTest {
  canBeHidden(holder: Element): boolean;
  /** First and cheap part of the test. */
  canHide(cover: Element, holder: Element): boolean;
  mayHide(cover: Element, holder: Element): boolean;
}

export interface ExcuseGlobals {
  rampeExcuses?: Excuses;
}

export function defineExcuses(): void {
  /** Part of a box that counts as all of it. */
  const nearlyAll = 0.9;
  const globals = globalThis as unknown as ExcuseGlobals & MeasureGlobals & DomGlobals;
  const { rampeDom: dom, rampeMeasures: measures } = globals;
  globals.rampeExcuses = { paintOf, branches, isLayer, openTest };

  function openTest(): CoverTest {
    const isFixed = nearest((each) => (isPlacedInWindow(each) ? each : undefined));
    const scrollerAt = nearest((each) => (canBeScrolled(each) ? each : undefined));
    const slideAt = nearest((each) => (isSlide(each) ? each : undefined));
    const isSeen = kept((each) => paintOf(each) !== "none" && dom.isShown(each, { visibilityProperty: true, opacityProperty: true }));
    const isOnPurpose = kept((each) => isLayerByName(each) || isMoving(each) || getComputedStyle(each).backfaceVisibility === "hidden");
    const canBeClosed = kept((each) => measures?.canBeClosed(each) ?? false);
    const scrollerOf = (element: Element) => {
      const outer = dom.composedParent(element);
      return outer ? scrollerAt(outer) : undefined;
    };
    return { canBeHidden, canHide, mayHide };

    function canBeHidden(holder: Element): boolean {
      // The page scrolls below fixed bars.
      return !isFixed(holder) && !slideAt(holder) && !dom.closest(holder, "[aria-hidden=true], [inert]");
    }

    function canHide(cover: Element, holder: Element): boolean {
      // Boxes that can be scrolled show their text elsewhere.
      return isSeen(cover) && !isFixed(cover) && scrollerOf(cover) === scrollerOf(holder);
    }

    function mayHide(cover: Element, holder: Element): boolean {
      const label = dom.closest(holder, "label");
      if (label instanceof HTMLLabelElement && label.control === cover) return false;
      const [text, over] = branches(holder, cover);
      if ([...text, ...over].some(isOnPurpose) || over.some(canBeClosed)) return false;
      const [under, above] = [text.at(-1) ?? holder, over.at(-1) ?? cover];
      // Parts of one size in one place are shown in turn.
      if (isSamePlace(under, above)) return false;
      // A layer that lies wholly below another one is closed, such as a menu behind the page.
      return !text.some(isLayer) || (!isSamePlace(holder, cover) && shareOf(under, above) < nearlyAll);
    }
  }

  /** The test, which runs once for each element. */
  function kept(test: (element: Element) => boolean): (element: Element) => boolean {
    const known = new Map<Element, boolean>();
    return (element) => {
      const result = known.get(element) ?? test(element);
      known.set(element, result);
      return result;
    };
  }

  /** What is found at an element, or else at the nearest one around it; each element is searched once. */
  function nearest(find: (element: Element) => Element | undefined): (element: Element) => Element | undefined {
    const known = new Map<Element, Element | undefined>();
    return (element) => {
      const path: Element[] = [];
      let at: Element | null = element;
      for (; at && !known.has(at); at = dom.composedParent(at)) path.push(at);
      let found = at ? known.get(at) : undefined;
      for (const each of path.reverse()) {
        found = find(each) ?? found;
        known.set(each, found);
      }
      return found;
    };
  }

  function branches(one: Element, other: Element): [Element[], Element[]] {
    const branch = (element: Element, apart: Element) => {
      const found: Element[] = [];
      for (let at: Element | null = element; at && !dom.holds(at, apart); at = dom.composedParent(at)) found.push(at);
      return found;
    };
    return [branch(one, other), branch(other, one)];
  }

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

  function isLayerByName(element: Element): boolean {
    const roles = ["dialog", "alertdialog", "tooltip", "menu", "listbox", "tabpanel"].map((role) => `[role=${role}]`);
    return dom.matches(element, ["dialog", "[popover]", "[aria-modal=true]", ...roles].join());
  }

  function isPlacedInWindow(element: Element): boolean {
    return element !== document.documentElement && /^(fixed|sticky)$/.test(getComputedStyle(element).position);
  }

  function isMoving(element: Element): boolean {
    return Element.prototype.getAnimations.call(element).some(({ playState }) => playState === "running");
  }

  /** Does the element change the place of its contents, as its names say? */
  function isSlide(element: Element): boolean {
    if (element === document.body || element === document.documentElement) return false;
    const names = /carousel|slide[rs]?(?![a-z])|slideshow|swiper|slick|splide|flickity|glide|marquee|(?<![a-z])(ticker|flip)/i;
    return names.test([dom.attribute(element, "class"), dom.attribute(element, "aria-roledescription"), dom.localName(element)].join(" "));
  }

  /** Is it a box that can be scrolled, other than the page? */
  function canBeScrolled(element: Element): boolean {
    if (element === document.body || element === document.documentElement) return false;
    const { overflowX, overflowY } = getComputedStyle(element);
    const { width, height, seenWidth, seenHeight } = dom.scroll(element);
    return (/auto|scroll/.test(overflowX) && width > seenWidth + 1) || (/auto|scroll/.test(overflowY) && height > seenHeight + 1);
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

  function isLayer(element: Element): boolean {
    const { position, transform, zIndex } = getComputedStyle(element);
    return position === "absolute" || transform !== "none" || (position !== "static" && Number(zIndex) < 0);
  }
}
