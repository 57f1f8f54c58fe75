import type { PausingWorld } from "./pause";

/*
 * These functions run inside a page, in a world of our own (see `world.ts`). They are sent as source text: none may use
 * anything outside itself but types.
 */

/** What watching a document's changes keeps in our world. */
interface Watch {
  observer: MutationObserver;
  changes: number;
  /** Of the last change, by the document's own clock. */
  changed: number;
}

/** Counts changes from now on, if it is not being done already. */
export function watchChanges(): void {
  const world = globalThis as unknown as { watch?: Watch };
  if (world.watch) return;
  const observer = new MutationObserver(() => {
    watch.changes += 1;
    watch.changed = performance.now();
  });
  const watch = { observer, changes: 0, changed: performance.now() };
  world.watch = watch;
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

/** How often a document has changed since it is watched; undefined for one that is not, or has more elements. */
export function changesOfSmall(mostElements: number): number | undefined {
  if (document.getElementsByTagName("*").length > mostElements) return undefined;
  return (globalThis as unknown as { watch?: Watch }).watch?.changes;
}

/**
 * Resolves when the document has not changed for `quietMs`, or `capMs` are over; at once where no script could change it.
 * `definePause` and `watchChanges` must have been called. Answers with how often it has changed since.
 * @param leastMs wait so long in any case, for what scripts could not do because we kept them from running
 */
export async function domQuiet(quietMs: number, capMs: number, leastMs = 0): Promise<number> {
  const { watch, pause } = globalThis as unknown as { watch: Watch } & PausingWorld;
  if (document.scripts.length === 0 && document.querySelector("iframe, frame, object, embed") === null)
    return watch.changes;
  const begun = performance.now();
  const end = () => Math.max(begun + leastMs, Math.min(watch.changed + quietMs, begun + capMs));
  for (let left = end() - begun; left > 0; left = end() - performance.now()) await pause(left);
  return watch.changes;
}

/** What a document says about itself, and whether there is anything in it. */
export interface DocumentFacts {
  title: string;
  lang: string;
  /** Whether a person could perceive anything: rendered text, media, controls, frames. */
  perceivable: boolean;
  /** Nothing could be perceived, but only because what has its place on the page is made invisible. */
  concealed: boolean;
  /** Markup of a small document, cut; "" for a large one, which no bot protection shows. */
  markup: string;
  /** An XML document ends where its markup is wrong; the browser says so in it. */
  broken: boolean;
}

export function describeDocument(): DocumentFacts {
  const root = own("documentElement");
  const body = own("body");
  const perceivable = body !== null && hasContent(body, true);
  return {
    title: own("title").trim().slice(0, 500),
    lang: (root?.getAttribute("lang") ?? root?.getAttribute("xml:lang") ?? "").trim().slice(0, 100),
    perceivable,
    concealed: body !== null && !perceivable && hasContent(body, false),
    markup: root && document.getElementsByTagName("*").length < 400 ? root.outerHTML.slice(0, 50_000) : "",
    broken:
      document.contentType === "application/xhtml+xml" && document.querySelector("parsererror") !== null,
  };

  /** An image or form named `title` or `body` would otherwise be found in the place of the real thing. */
  function own<Name extends "documentElement" | "body" | "title">(name: Name) {
    const property = Object.getOwnPropertyDescriptor(Document.prototype, name);
    return property?.get?.call(document) as (Document & {
      documentElement: HTMLElement | null;
      body: Element | null;
    })[Name];
  }

  /** Stops at the first thing found, so it is quick on every page that has something. */
  function hasContent(start: Node, visible: boolean): boolean {
    const open: Node[] = [start];
    for (let node = open.pop(); node; node = open.pop()) {
      if (node instanceof Text) {
        const parent = node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentElement;
        if (/\S/.test(node.data) && parent && isRendered(parent, visible)) return true;
        continue;
      }
      if (node instanceof Element) {
        if (matches(node, "script, style, template, noscript")) continue;
        if (isContent(node) && isRendered(node, visible)) return true;
        if (node.shadowRoot instanceof ShadowRoot) open.push(node.shadowRoot);
      }
      // In document order, because what comes first is what is most likely seen.
      const children = childrenOf(node);
      for (let at = children.length - 1; at >= 0; at -= 1) open.push(children[at]!);
    }
    return false;
  }

  /** The parts of a form may be hidden by controls of the same names. */
  function matches(element: Element, selector: string): boolean {
    return Element.prototype.matches.call(element, selector);
  }

  function childrenOf(node: Node): NodeListOf<ChildNode> {
    const property = Object.getOwnPropertyDescriptor(Node.prototype, "childNodes");
    return property?.get?.call(node) as NodeListOf<ChildNode>;
  }

  function isContent(element: Element): boolean {
    return matches(
      element,
      "img, svg, math, picture, video, audio, canvas, object, embed, iframe, frame, " +
        "input:not([type=hidden]), button, select, textarea, meter, progress",
    );
  }

  function isRendered(element: Element, visible: boolean): boolean {
    if (Element.prototype.checkVisibility.call(element, { visibilityProperty: visible })) return true;
    if (matches(element, "audio")) return true;
    // It has no box of its own, but what is inside it may have.
    if (getComputedStyle(element).display !== "contents") return false;
    const parent = element.assignedSlot ?? element.parentElement;
    return parent === null || isRendered(parent, visible);
  }
}
