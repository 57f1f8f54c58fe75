import type { DomGlobals } from "./dom";

/*
 * These functions run inside a page, in an isolated world (see `isolated-world.ts`). They are sent as source text: none
 * may use anything outside itself except types.
 */

/** Does content load when it comes into view, by the browser or by a script in the document? */
export function loadsInView(): boolean {
  return [...everyRoot(document)].some(
    (root) =>
      find(root, "[loading=lazy]").length > 0 ||
      find(root, "script:not([src])").some((script) => /IntersectionObserver/.test((script as HTMLScriptElement).text)),
  );

  function find(root: Document | ShadowRoot, selector: string): Element[] {
    const { prototype } = root instanceof Document ? Document : DocumentFragment;
    return [...prototype.querySelectorAll.call(root, selector)];
  }

  function* everyRoot(root: Document | ShadowRoot): Generator<Document | ShadowRoot> {
    yield root;
    for (const { shadowRoot } of find(root, "*")) if (shadowRoot instanceof ShadowRoot) yield* everyRoot(shadowRoot);
  }
}

/**
 * Scrolls to the end and back, in steps that skip nothing, so that all lazy content loads.
 * @param mostSteps a longer page is scrolled in longer steps
 * @returns height of the scrollable content before, in CSS pixels; 0 if nothing can be scrolled
 */
export async function scrollThrough(mostSteps: number): Promise<number> {
  const { rampeDom: dom } = globalThis as unknown as DomGlobals;
  const scroller = findScroller();
  if (!scroller) return 0;
  const { scrollTop: start, scrollHeight: before, clientHeight } = scroller;
  const step = Math.max(clientHeight, before / mostSteps);
  for (let top = start + step; ; top += step) {
    await scrollTo(top);
    if (top + clientHeight >= before) break;
  }
  await scrollTo(start);
  await nextFrame();
  return before;

  /** Scrolls at the beginning of a frame, so that visibility observers are notified before the next one. */
  async function scrollTo(top: number): Promise<void> {
    await nextFrame();
    (Element.prototype.scrollTo as (options: ScrollToOptions) => void).call(scroller, { top, behavior: "instant" });
  }

  /** The page, or a box that fills it and has more to scroll. */
  function findScroller(): Element | null {
    let longest = document.scrollingElement;
    let box = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    for (; box; box = dom.parent(box))
      if (hidden(box) > hidden(longest) && box.clientHeight > innerHeight / 2 && /auto|scroll/.test(getComputedStyle(box).overflowY))
        longest = box;
    return hidden(longest) > 1 ? longest : null;
  }

  /** Height of the hidden part of a box, in CSS pixels. */
  function hidden(box: Element | null): number {
    return box ? box.scrollHeight - box.clientHeight : 0;
  }

  /** Frames are drawn even without a viewer. */
  function nextFrame(): Promise<unknown> {
    return new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** The height that `scrollThrough` returns, if the page itself scrolls. */
export function pageHeight(): number {
  return document.scrollingElement?.scrollHeight ?? 0;
}
