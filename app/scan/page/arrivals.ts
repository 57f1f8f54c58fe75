/*
 * These functions run inside a page, in an isolated world (see `isolated-world.ts`). They are sent as source text: none
 * may use anything outside itself except types.
 */

/** New and changed content of a document since the watch began. */
export interface Arrivals {
  /** Perceivable content has changed: an analysis would find another page. */
  relevant: boolean;
  /** Perceivable content has changed since the last call, even if only the digits of a clock. */
  moving: boolean;
}

interface ArrivalsGlobals {
  arrivals?: { take(): Arrivals; stop(): void };
}

/** Records changes from now on and forgets earlier ones. Call it before an analysis. */
export function watchArrivals(): void {
  const isolatedWorld = globalThis as unknown as ArrivalsGlobals;
  isolatedWorld.arrivals?.stop();
  /** Limit for inspecting changes one by one. */
  const most = 500;
  const unseen = "script, style, link, meta, title, base, noscript, template";
  const roots = new Set<Node>();
  /** Values of attributes before their first change. */
  const attributes = new Map<Element, Map<string, string | null>>();
  const observer = new MutationObserver(note);
  let records: MutationRecord[] = [];
  let overflow = false;
  let relevant = false;
  observe(document);
  isolatedWorld.arrivals = { take, stop: () => observer.disconnect() };

  function observe(root: Document | ShadowRoot): void {
    if (!roots.has(root))
      observer.observe(root, {
        subtree: true,
        childList: true,
        attributeOldValue: true,
        characterDataOldValue: true,
      });
    roots.add(root);
    for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot instanceof ShadowRoot) observe(shadowRoot);
  }

  function note(news: MutationRecord[]): void {
    for (const record of news) {
      if (records.length >= most || attributes.size >= most) overflow = true;
      else records.push(record);
      if (record.type === "attributes" && !overflow) noteAttribute(record);
    }
  }

  function noteAttribute({ target, attributeName, oldValue }: MutationRecord): void {
    const values = attributes.get(target as Element) ?? new Map<string, string | null>();
    if (!values.has(attributeName!)) values.set(attributeName!, oldValue);
    attributes.set(target as Element, values);
  }

  function take(): Arrivals {
    note(observer.takeRecords());
    const known = roots.size;
    observe(document);
    let moving = overflow || roots.size > known;
    if (moving) relevant = true;
    for (const record of records) {
      if (!isShown(record)) continue;
      moving = true;
      if (record.type !== "attributes" && !isClock(record)) relevant = true;
    }
    relevant ||= [...attributes].some(
      ([element, values]) =>
        isRendered(element) && [...values].some(([name, value]) => Element.prototype.getAttribute.call(element, name) !== value),
    );
    records = [];
    overflow = false;
    return { relevant, moving };
  }

  function isShown({ type, target, addedNodes, removedNodes }: MutationRecord): boolean {
    if (!isRendered(target)) return false;
    if (type !== "childList") return true;
    return [...addedNodes].some((node) => isContent(node) && isRendered(node)) || [...removedNodes].some(isContent);
  }

  function isContent(node: Node): boolean {
    if (node instanceof Text) return /\S/.test(node.data);
    return node instanceof Element && !Element.prototype.matches.call(node, unseen);
  }

  function isRendered(node: Node): boolean {
    if (node instanceof Document) return true;
    const root = node.getRootNode();
    const element = node instanceof ShadowRoot ? node.host : node instanceof Element ? node : node.parentElement;
    // A text may be a direct child of a shadow root.
    if (!element) return root instanceof ShadowRoot && isRendered(root);
    if (!element.isConnected || Element.prototype.matches.call(element, unseen)) return false;
    return (
      Element.prototype.checkVisibility.call(element, { visibilityProperty: true }) ||
      getComputedStyle(element).display === "contents"
    );
  }

  /** Only digits of a text changed. */
  function isClock({ type, target, oldValue, addedNodes, removedNodes }: MutationRecord): boolean {
    const withoutDigits = (text: string) => text.replace(/\d+/g, "");
    if (type === "characterData") return withoutDigits((target as Text).data) === withoutDigits(oldValue ?? "");
    const textOf = (nodes: NodeList) => {
      const all = [...nodes];
      return all.every((node) => node instanceof Text) ? withoutDigits(all.map(({ data }) => data).join("")) : undefined;
    };
    const added = textOf(addedNodes);
    return added !== undefined && removedNodes.length > 0 && addedNodes.length > 0 && added === textOf(removedNodes);
  }
}

export function takeArrivals(): Arrivals {
  return (globalThis as unknown as ArrivalsGlobals).arrivals?.take() ?? { relevant: false, moving: false };
}

/** Has the document parts that act by themselves or load on demand: scripts, frames, lazy images, a refresh address? */
export function isLively(): boolean {
  const data = "script[type*=json i], script[type*=template i], script[type*=speculationrules i], script[type*=html i]";
  const lively = `script:not(${data}), iframe, frame, [loading=lazy], meta[http-equiv=refresh i], [onload], [onerror]`;
  return Document.prototype.querySelector.call(document, lively) !== null;
}

/** Number of parts that are marked as loading, look like it, or are an empty main landmark. */
export function countPlaceholders(): number {
  const busy = "[aria-busy=true i]";
  const skeletons = ["skeleton", "shimmer", "placeholder", "loading", "loader", "spinner"].map((word) => `[class*=${word} i]`);
  const landmarks = "main, [role=main]";
  let placeholders = 0;
  collect(document);
  return placeholders;

  function collect(root: Document | ShadowRoot): void {
    for (const element of root.querySelectorAll([busy, ...skeletons, landmarks].join(","))) {
      if (placeholders >= 100) return;
      if (isWaiting(element)) placeholders += 1;
    }
    for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot instanceof ShadowRoot) collect(shadowRoot);
  }

  function isWaiting(element: Element): boolean {
    const is = (selector: string) => Element.prototype.matches.call(element, selector);
    if (!Element.prototype.checkVisibility.call(element, { visibilityProperty: true, opacityProperty: true })) {
      // An empty landmark has no height, but that does not make it hidden.
      return is(landmarks) && getComputedStyle(element).display !== "none" && isEmpty(element);
    }
    if (is(busy) || (is(landmarks) && isEmpty(element))) return true;
    const words = /(^|[-_\s])(skeleton|shimmer|placeholder|loading|loader|spinner)([-_\s]|$)/i;
    if (!words.test(Element.prototype.getAttribute.call(element, "class") ?? "")) return false;
    const { width, height } = Element.prototype.getBoundingClientRect.call(element);
    return width >= 16 && height >= 8 && !is("img, input, textarea, select, button, picture, video, html, body") && isEmpty(element);
  }

  /** No text and no other perceivable content. */
  function isEmpty(element: Element): boolean {
    const media = "img, svg, picture, video, audio, canvas, iframe, object, embed, math, input, button, select, textarea, meter";
    if (element.shadowRoot instanceof ShadowRoot || Element.prototype.querySelector.call(element, `${media}, slot`)) return false;
    const property = Object.getOwnPropertyDescriptor(Node.prototype, "textContent");
    return !/\S/.test((property?.get?.call(element) as string | null) ?? "");
  }
}

/** May something act when the page is drawn: an animation, or a script in the document that requests frames? */
export function goesByFrames(): boolean {
  const asksForFrames = /requestAnimationFrame|\.animate\b|Observer|\beval\b|Function\(/;
  const scripts = [...Document.prototype.querySelectorAll.call(document, "script:not([src]), [onload], [onerror]")];
  return scripts.some((each) => textsOf(each).some((text) => asksForFrames.test(text))) || Document.prototype.getAnimations.call(document).length > 0;

  function textsOf(element: Element): string[] {
    const attributes = ["onload", "onerror"].map((name) => Element.prototype.getAttribute.call(element, name) ?? "");
    return element instanceof HTMLScriptElement ? [element.text, ...attributes] : attributes;
  }
}

/** Resolves when a new frame is drawn, so that code that depends on frames has noticed the advanced clock. */
export function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Is there an inner frame visible to visitors? */
export function showsFrames(): boolean {
  return [...document.querySelectorAll("iframe, frame")].some((frame) => {
    const { width, height } = frame.getBoundingClientRect();
    return width >= 10 && height >= 10 && frame.checkVisibility({ visibilityProperty: true });
  });
}
