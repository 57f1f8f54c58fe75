import type { AnalyserGlobals } from "~/scan/rules/analyser";

/*
 * This function runs inside a page, in an isolated world (see `isolated-world.ts`). It is sent as source text: it may use
 * nothing outside itself except types.
 */

/** A part of the page, in CSS pixels from the page's top left corner. */
export interface Cutout {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Identifies the element. */
  mark: number;
}

interface OutlineGlobals {
  outline?: HTMLElement;
}

/** Reference to an element of a report: by the index of its violated rule and its own in it, or by its selector. */
export type ReportedElement = { rule: number; position: number } | { target: (string | string[])[] };

/**
 * Scrolls an element of a report into view, outlines it, and returns the part of the page that a picture should show;
 * null if the element is not visible.
 * @param largest limit in CSS pixels; the picture shows the beginning of a larger element
 */
export function outlineElement(which: ReportedElement, largest: { width: number; height: number }): Cutout | null {
  const isolatedWorld = globalThis as unknown as AnalyserGlobals & OutlineGlobals;
  const { analyser } = isolatedWorld;
  const margin = { across: 64, down: 48 };
  const smallest = { width: 360, height: 200 };
  const mark = "target" in which ? markAt(which.target) : analyser.shown[which.rule]?.[which.position];
  const element = mark === undefined ? undefined : analyser.marked[mark];
  if (mark === undefined || !element || !isVisible(element)) return null;
  // An outline of the whole page does not help to find anything.
  if (element === document.documentElement || element === document.body) return null;

  const { width, height } = boxOf(element);
  const block = height > largest.height ? "start" : "center";
  const inline = width > largest.width ? "start" : "center";
  // A form's controls may hide its methods by having the same names.
  Element.prototype.scrollIntoView.call(element, { block, inline, behavior: "instant" });
  // The picture includes a margin before the element.
  if (block === "start") scrollBy({ top: -margin.down, behavior: "instant" });
  if (inline === "start") scrollBy({ left: -margin.across, behavior: "instant" });
  const box = boxOf(element);
  const isInView = box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
  if (!isInView || box.width < 1 || box.height < 1) return null;
  outline(box);

  const across = part(box.left, box.width, margin.across, smallest.width, Math.min(largest.width, innerWidth), innerWidth);
  const down = part(box.top, box.height, margin.down, smallest.height, Math.min(largest.height, innerHeight), innerHeight);
  const { pageLeft, pageTop } = visualViewport ?? { pageLeft: scrollX, pageTop: scrollY };
  return { x: pageLeft + across.from, y: pageTop + down.from, width: across.length, height: down.length, mark };

  /** Index of the element; undefined if the found element is in no result: then the page has changed. */
  function markAt([path, ...inFrame]: (string | string[])[]): number | undefined {
    if (path === undefined || inFrame.length > 0) return undefined;
    let found: Element | null = null;
    let root: Document | ShadowRoot | null = document;
    try {
      for (const selector of [path].flat()) {
        found = root?.querySelector(selector) ?? null;
        root = found?.shadowRoot instanceof ShadowRoot ? found.shadowRoot : null;
      }
    } catch {
      // A cut selector is invalid.
      return undefined;
    }
    const index = found ? analyser.marked.indexOf(found) : -1;
    return index < 0 ? undefined : index;
  }

  function isVisible(candidate: Element): boolean {
    return Element.prototype.checkVisibility.call(candidate, { visibilityProperty: true, opacityProperty: true });
  }

  function boxOf(candidate: Element): DOMRect {
    return Element.prototype.getBoundingClientRect.call(candidate);
  }

  /** Part of the view: adds a margin, limited to the view. */
  function part(from: number, length: number, margin: number, least: number, most: number, view: number) {
    const wanted = Math.round(Math.min(most, Math.max(least, length + 2 * margin)));
    const isWhole = length + 2 * margin <= wanted;
    const start = isWhole ? from + length / 2 - wanted / 2 : from - margin;
    return { from: Math.round(Math.max(0, Math.min(start, view - wanted))), length: wanted };
  }

  /** Draws the outline in the top layer, above dialogs and all other content of the page. */
  function outline({ left, top, width, height }: DOMRect): void {
    const frame = (isolatedWorld.outline ??= document.createElementNS("http://www.w3.org/1999/xhtml", "div"));
    const line = 3;
    const sides = [...side(left, left + width, innerWidth), ...side(top, top + height, innerHeight)];
    const [fromLeft = 0, toRight = 0, fromTop = 0, toBottom = 0] = sides;
    const style: Record<string, string> = {
      all: "initial",
      display: "block",
      position: "fixed",
      inset: "auto",
      left: `${fromLeft}px`,
      top: `${fromTop}px`,
      width: `${toRight - fromLeft}px`,
      height: `${toBottom - fromTop}px`,
      "box-sizing": "border-box",
      margin: "0",
      padding: "0",
      border: `${line}px solid #d3005b`,
      // The outline is visible on dark backgrounds too.
      outline: "2px solid #fff",
      "border-radius": "4px",
      background: "none",
      "pointer-events": "none",
      "z-index": "2147483647",
    };
    for (const [name, value] of Object.entries(style)) frame.style.setProperty(name, value, "important");
    if (frame.isConnected) return;
    frame.popover = "manual";
    document.documentElement.append(frame);
    frame.showPopover();
  }

  /** Position of a side: leaves room for the line; at the edge of the view, the line covers the element. */
  function side(from: number, to: number, view: number): [from: number, to: number] {
    const around = 6;
    return [
      from < 0 ? from - around : Math.max(0, from - around),
      to > view ? to + around : Math.min(view, to + around),
    ];
  }
}

/** Removes the outline from the page. */
export function removeOutline(): void {
  (globalThis as unknown as OutlineGlobals).outline?.remove();
}
