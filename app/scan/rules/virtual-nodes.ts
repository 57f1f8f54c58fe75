import type { DomGlobals } from "~/scan/page/dom";
import type { Axe, VirtualNode } from "./axe-internals";

/*
 * This function runs inside a page, in an isolated world with axe-core loaded (see `isolated-world.ts`). It is sent as
 * source text: it may use nothing outside itself except types.
 */

/**
 * Makes axe's virtual nodes cache style and position of their elements in a form that is faster to read, with the same
 * values: all of axe uses them.
 *
 * axe keeps rectangles as the browser's own objects, where each coordinate is a call into the browser. `color-contrast`
 * and `target-size` read those of all elements near another one again and again; on crowded pages that took most of the
 * time. Also, axe keeps styles under names that are built anew for every read.
 *
 * Call it once per frame, before axe runs.
 */
export function patchAxeVirtualNodes(): void {
  const { axe, rampeDom: dom } = globalThis as unknown as { axe: Axe } & DomGlobals;
  Object.defineProperties(axe.VirtualNode.prototype, {
    getComputedStylePropertyValue: {
      configurable: true,
      value(this: VirtualNode, property: string) {
        const { _cache } = this;
        const values = (_cache.styleValues ??= new Map<string, string>()) as Map<string, string>;
        let value = values.get(property);
        if (value === undefined) {
          const style = (_cache.style ??= getComputedStyle(this.actualNode as Element)) as CSSStyleDeclaration;
          values.set(property, (value = style.getPropertyValue(property)));
        }
        return value;
      },
    },
    clientRects: {
      configurable: true,
      get(this: VirtualNode) {
        return (this._cache.rects ??= clientRectsOf(this.actualNode as Element));
      },
    },
    boundingClientRect: {
      configurable: true,
      get(this: VirtualNode) {
        return (this._cache.rect ??= plain(dom.box(this.actualNode as Element)));
      },
    },
  });

  /** Same as in axe, without rectangles of zero width. */
  function clientRectsOf(element: Element) {
    return Array.from(dom.boxes(element), plain).filter(({ width }) => width > 0);
  }

  function plain({ x, y, width, height, left, top, right, bottom }: DOMRect) {
    return { x, y, width, height, left, top, right, bottom };
  }
}
