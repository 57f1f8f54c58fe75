import type { Axe, VirtualNode } from "./axe-internals";

/*
 * This function runs inside a page, in a world of our own where axe-core has been loaded (see `world.ts`). It is sent as
 * source text: it may use nothing outside itself but types.
 */

/**
 * Lets axe's virtual nodes remember style and place of their elements in a way that is quicker to read, with the same
 * values: all of axe asks them.
 *
 * axe keeps rectangles as the browser's own objects, of which each coordinate is a call into the browser.
 * `color-contrast` and `target-size` ask every element near another one for them again and again; on crowded pages that
 * took most of the time. And it keeps styles under names that are put together anew for every question.
 *
 * Once per frame, before axe runs.
 */
export function patchAxeVirtualNodes(): void {
  const { axe } = globalThis as unknown as { axe: Axe };
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
        return (this._cache.rect ??= plain((this.actualNode as Element).getBoundingClientRect()));
      },
    },
  });

  /** As axe does, without those that have no width. */
  function clientRectsOf(element: Element) {
    return Array.from(element.getClientRects(), plain).filter(({ width }) => width > 0);
  }

  function plain({ x, y, width, height, left, top, right, bottom }: DOMRect) {
    return { x, y, width, height, left, top, right, bottom };
  }
}
