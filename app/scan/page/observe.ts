import type { PausingGlobals } from "./pause";

/*
 * These functions run inside a page, in an isolated world (see `isolated-world.ts`). They are sent as source text: none
 * may use anything outside itself except types.
 */

/** State of the change watch in our isolated world. */
interface Watch {
  changes: number;
  /** Time of the last change, by the document's own clock. */
  changed: number;
  /** Finds new open shadow roots: they are a change without any event. */
  look(): void;
}

/** Starts counting changes of the document and its open shadow roots, unless already started. */
export function watchChanges(): void {
  const isolatedWorld = globalThis as unknown as { watch?: Watch };
  if (isolatedWorld.watch) return;
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
  isolatedWorld.watch = watch;

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

/** Number of changes since the watch began; undefined for a document with more elements. */
export function changesOfSmall(mostElements: number): number | undefined {
  if (document.getElementsByTagName("*").length > mostElements) return undefined;
  const { watch } = globalThis as unknown as { watch: Watch };
  watch.look();
  return watch.changes;
}

/**
 * Resolves when the document has not changed for `quietMs` since it was loaded, or after `capMs`. `definePause` and
 * `watchChanges` must have been called. Resolves with the number of changes since then.
 * @param leastMs minimum wait, for delayed work of scripts
 */
export async function domQuiet(quietMs: number, capMs: number, leastMs = 0): Promise<number> {
  const { watch, pause } = globalThis as unknown as { watch: Watch } & PausingGlobals;
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

/** Facts of a document, and whether it has content. */
export interface DocumentFacts {
  title: string;
  lang: string;
  /** The document has perceivable content: rendered text, media, controls, frames. */
  perceivable: boolean;
  /** Nothing could be perceived, although there is content, elements with a meaning, a timed refresh, or only a language. */
  concealed: boolean;
  /** Markup of a small document, cut; "" for a large one, which is never a bot protection's. */
  markup: string;
  /** An XML document ends at its first markup error; the browser shows an error in it. */
  broken: boolean;
  /** An SVG document without text, links and widgets. */
  isPicture: boolean;
}

export function describeDocument(): DocumentFacts {
  const root = own("documentElement");
  const isDrawing = document.contentType === "image/svg+xml";
  const body = isDrawing ? root : own("body");
  const perceivable = body !== null && hasContent(body, true);
  return {
    title: own("title").trim().slice(0, 500),
    lang: (root?.getAttribute("lang") ?? root?.getAttribute("xml:lang") ?? "").trim().slice(0, 100),
    perceivable,
    concealed: body !== null && !perceivable && (hasContent(body, false) || hasElements(body) || refreshes() || saysLanguageAlone(body)),
    markup: root && document.getElementsByTagName("*").length < 400 ? root.outerHTML.slice(0, 50_000) : "",
    broken:
      /^(application\/xhtml|image\/svg)\+xml$/.test(document.contentType) && document.querySelector("parsererror") !== null,
    isPicture: isDrawing && document.querySelector("text, a, foreignObject, [role], [tabindex], parsererror") === null,
  };

  /** Reads the real property: an image or form named `title` or `body` would hide it. */
  function own<Name extends "documentElement" | "body" | "title">(name: Name) {
    const property = Object.getOwnPropertyDescriptor(Document.prototype, name);
    return property?.get?.call(document) as (Document & {
      documentElement: HTMLElement | null;
      body: Element | null;
    })[Name];
  }

  /** Stops at the first content found, so it is quick on every page that has some. */
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
      // Document order, because visible content most likely comes first.
      const children = childrenOf(node);
      for (let at = children.length - 1; at >= 0; at -= 1) open.push(children[at]!);
    }
    return false;
  }

  /** Links, headings, widgets, text and the like, even empty or hidden ones; scripts, hidden media and empty containers do not count. */
  function hasElements(start: Element): boolean {
    const media = "img, picture, video, audio, canvas, object, embed, iframe, frame";
    const meaningless = `script, style, template, noscript, link, meta, base, title, div, span, main, section, br, hr, p, ${media}`;
    const hasText = (element: Element) => [...childrenOf(element)].some((child) => child instanceof Text && /\S/.test(child.data));
    if (hasText(start)) return true;
    return [...start.querySelectorAll("*")].some((element) => {
      if (matches(element, "script, style, template, noscript")) return false;
      if (hasText(element)) return true;
      return !matches(element, meaningless) || matches(element, "[role], [tabindex], [onclick]");
    });
  }

  function refreshes(): boolean {
    return Document.prototype.querySelector.call(document, "meta[http-equiv=refresh i][content]") !== null;
  }

  /** Does the page declare only its language? Nothing can appear on it, and its language may be wrong. */
  function saysLanguageAlone(start: Element): boolean {
    const hasScripts = Document.prototype.querySelector.call(document, "script") !== null;
    return start.firstElementChild === null && !hasScripts && root !== null && root.hasAttribute("lang");
  }

  /** A form's controls may hide its methods by having the same names. */
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

  /** Is the element content? If it is invisible, only controls count: badges, beacons and the like are often hidden. */
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
    // The element has no box of its own, but its children may have one.
    if (getComputedStyle(element).display !== "contents") return false;
    const parent = slotOf(element) ?? parentOf(element);
    return parent === null || isRendered(parent, visible);
  }
}
