import type { PausingWorld } from "./pause";

/*
 * These functions run inside a page, in a world of our own (see `world.ts`). They are sent as source text: none may use
 * anything outside itself but types.
 */

/** What watching a document's changes keeps in our world. */
interface Watch {
  changes: number;
  /** Of the last change, by the document's own clock. */
  changed: number;
  /** Looks for open shadow roots that have come, which is a change that nobody tells of. */
  look(): void;
}

/** Counts changes of the document and its open shadow roots from now on, if it is not being done already. */
export function watchChanges(): void {
  const world = globalThis as unknown as { watch?: Watch };
  if (world.watch) return;
  const roots = new Set<Node>();
  const observer = new MutationObserver(count);
  const watch: Watch = {
    changes: 0,
    changed: performance.now(),
    look() {
      const known = roots.size;
      observe(document);
      if (roots.size > known) count();
    },
  };
  observe(document);
  world.watch = watch;

  function observe(root: Document | ShadowRoot): void {
    if (!roots.has(root))
      observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    roots.add(root);
    for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot instanceof ShadowRoot) observe(shadowRoot);
  }

  function count(): void {
    watch.changes += 1;
    watch.changed = performance.now();
  }
}

/** How often a document has changed since it is watched; undefined for one that has more elements. */
export function changesOfSmall(mostElements: number): number | undefined {
  if (document.getElementsByTagName("*").length > mostElements) return undefined;
  const { watch } = globalThis as unknown as { watch: Watch };
  watch.look();
  return watch.changes;
}

/**
 * Resolves when the document has not changed for `quietMs` since it was loaded, or `capMs` are over. `definePause` and
 * `watchChanges` must have been called. Answers with how often it has changed since.
 * @param leastMs wait so long in any case, for what scripts could not do yet
 */
export async function domQuiet(quietMs: number, capMs: number, leastMs = 0): Promise<number> {
  const { watch, pause } = globalThis as unknown as { watch: Watch } & PausingWorld;
  const begun = performance.now();
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const loaded = navigation?.loadEventEnd || begun;
  const rest = () => Math.max(watch.changed, loaded) + quietMs;
  const end = () => Math.max(begun + leastMs, Math.min(rest(), begun + capMs));
  watch.look();
  for (let left = end() - begun; left > 0; left = end() - performance.now()) {
    await pause(left);
    watch.look();
  }
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
        if (isContent(node, visible) && isRendered(node, visible)) return true;
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

  function slotOf(element: Element): Element | null {
    const property = Object.getOwnPropertyDescriptor(Element.prototype, "assignedSlot");
    return property?.get?.call(element) as Element | null;
  }

  function parentOf(element: Element): Element | null {
    const property = Object.getOwnPropertyDescriptor(Node.prototype, "parentElement");
    return property?.get?.call(element) as Element | null;
  }

  /** Of what is invisible, only what has to do with people counts: badges, beacons and the like are often hidden. */
  function isContent(element: Element, visible: boolean): boolean {
    const controls = "input:not([type=hidden]), button, select, textarea, meter, progress";
    if (matches(element, controls)) return true;
    if (!visible || isBeacon(element)) return false;
    return matches(element, "img, svg, math, picture, video, audio, canvas, object, embed, iframe, frame");
  }

  function isBeacon(element: Element): boolean {
    return element instanceof HTMLImageElement && element.naturalWidth <= 1 && element.width <= 1 && element.alt === "";
  }

  function isRendered(element: Element, visible: boolean): boolean {
    if (Element.prototype.checkVisibility.call(element, { visibilityProperty: visible, opacityProperty: visible }))
      return true;
    if (matches(element, "audio")) return true;
    // It has no box of its own, but what is inside it may have.
    if (getComputedStyle(element).display !== "contents") return false;
    const parent = slotOf(element) ?? parentOf(element);
    return parent === null || isRendered(parent, visible);
  }
}
