/** This function runs inside a page, in an isolated world; it is sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";
import type { ElementListeners } from "~/scan/rules/rampe/listeners/keep-listeners";

export interface SightGlobals {
  rampeSight: {
    /** All elements with visible content of their own, also below the screen. */
    look(): Set<Element>;
    hasOwnContent(element: Element): boolean;
    /** Elements that react to a press and are drawn by styles alone, such as the three lines of a menu's button. */
    drawn(): Element[];
    /**
     * Largest parts of the page around elements, without content that was visible before.
     * @param shown elements visible before
     * @param control a control outside of all these parts
     */
    outermost(elements: Element[], shown: Set<Element>, control: Element): Element[];
    /** Does one element contain another, also in a shadow root? */
    holds(outer: Element, inner: Element): boolean;
  };
}

/** Defines the functions that find visible content. */
export function defineSight(): void {
  const mostElements = 10_000;
  const globals = globalThis as unknown as SightGlobals & DomGlobals & ElementListeners;
  const { rampeDom: dom } = globals;
  globals.rampeSight = { look, hasOwnContent, drawn, outermost, holds: dom.holds };

  /** Elements with text of their own, pictures and controls, drawn within the page or inside of a scrollable box. */
  function look(): Set<Element> {
    const found = new Set<Element>();
    let visited = 0;
    const page = { left: 0, top: 0, right: Math.max(innerWidth, document.documentElement.scrollWidth), bottom: Infinity };
    if (document.body) visit(document.body, page);
    return found;

    function visit(element: Element, clip: typeof page): void {
      visited += 1;
      if (visited > mostElements) return;
      const style = getComputedStyle(element);
      if (style.display === "none" || style.opacity === "0" || style.contentVisibility === "hidden") return;
      let inner = clip;
      if (style.display !== "contents") {
        const box = boxOf(element);
        const seen = {
          left: Math.max(box.left, clip.left),
          top: Math.max(box.top, clip.top),
          right: Math.min(box.right, clip.right),
          bottom: Math.min(box.bottom, clip.bottom),
        };
        const isSeen = seen.right - seen.left >= 2 && seen.bottom - seen.top >= 2;
        if (isSeen && style.visibility === "visible" && hasOwnContent(element)) found.add(element);
        // Boxes around an element with `position: fixed` do not clip it.
        if (style.position === "fixed") inner = page;
        else if (isClipping(element, style)) inner = isSeen ? scrolled(element, style, box, seen) : seen;
      }
      for (const child of dom.shadow(element)?.children ?? dom.children(element)) if (!isInClosed(element, child)) visit(child, inner);
      if (element instanceof HTMLSlotElement) for (const child of element.assignedElements()) visit(child, inner);
    }

    /** Content of closed `details` has boxes although it is hidden. */
    function isInClosed(details: Element, child: Element): boolean {
      return dom.localName(details) === "details" && dom.attribute(details, "open") === null && !dom.isShown(child);
    }

    /** The body's overflow applies to the window, unless the outermost element has one. */
    function isClipping(element: Element, { overflowX, overflowY, clipPath }: CSSStyleDeclaration): boolean {
      if (clipPath !== "none") return true;
      const isOfWindow = element === document.body && getComputedStyle(document.documentElement).overflow === "visible";
      return !isOfWindow && (overflowX !== "visible" || overflowY !== "visible");
    }

    /** Part of the page that a box shows after scrolling. */
    function scrolled(element: Element, { overflowX, overflowY, clipPath }: CSSStyleDeclaration, box: typeof page, seen: typeof page): typeof page {
      const canScroll = (overflow: string) => clipPath === "none" && /auto|scroll/.test(overflow);
      const inner = dom.scroll(element);
      const [left, top] = [box.left - inner.left, box.top - inner.top];
      return {
        ...(canScroll(overflowX) ? { left, right: left + inner.width } : { left: seen.left, right: seen.right }),
        ...(canScroll(overflowY) ? { top, bottom: top + inner.height } : { top: seen.top, bottom: seen.bottom }),
      };
    }

    function boxOf(element: Element): typeof page {
      const { left, top, right, bottom } = dom.box(element);
      return { left: left + scrollX, top: Math.max(0, top + scrollY), right: right + scrollX, bottom: bottom + scrollY };
    }
  }

  function drawn(): Element[] {
    const least = 8;
    const isPress = (type: string) => /^(click|mousedown|mouseup|pointerdown|pointerup)$/.test(type);
    const scripted = [...(globals.rampeListeners ?? [])].flatMap(([node, types]) => (node instanceof Element && types.some(isPress) ? [node] : []));
    const all = new Set([...scripted, ...document.querySelectorAll("[onclick], [onmousedown], [onpointerdown]")]);
    return [...all].filter((element) => {
      if (dom.contains(element, document.body) || dom.text(element).trim() !== "") return false;
      const { width, height } = dom.box(element);
      return width >= least && height >= least && dom.isShown(element, { visibilityProperty: true, opacityProperty: true }) && [element, ...dom.inside(element, "*")].some(isPainted);
    });

    function isPainted(element: Element): boolean {
      const { backgroundColor, backgroundImage, borderTopWidth, maskImage } = getComputedStyle(element);
      const pseudo = (["::before", "::after"] as const).some((part) => !/^(none|normal)$/.test(getComputedStyle(element, part).content));
      return pseudo || backgroundImage !== "none" || maskImage !== "none" || !/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor) || Number.parseFloat(borderTopWidth) > 0;
    }
  }

  function hasOwnContent(element: Element): boolean {
    if (dom.matches(element, "img, svg, canvas, video, input, select, textarea, button, iframe")) return true;
    return dom.nodes(element).some((node) => node instanceof Text && node.data.trim() !== "");
  }

  function outermost(elements: Element[], shown: Set<Element>, control: Element): Element[] {
    const roots = new Set<Element>();
    for (const element of elements) {
      let root = element;
      for (let at = dom.parent(element); at && at !== document.body && !isSeenBefore(at); at = dom.parent(at)) root = at;
      roots.add(root);
    }
    return [...roots].filter((root) => ![...roots].some((other) => other !== root && dom.contains(other, root)));

    function isSeenBefore(element: Element): boolean {
      return shown.has(element) || dom.contains(element, control) || dom.inside(element, "*").some((each) => shown.has(each));
    }
  }
}
