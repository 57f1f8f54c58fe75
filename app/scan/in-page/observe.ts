/*
 * These functions run inside a page, in a world of our own (see `world.ts`). They are sent as source text: none may use
 * anything outside itself but types.
 */

/**
 * Resolves when the document has not changed for `quietMs`, or `capMs` are over; at once where no script could change it.
 */
export function domQuiet(quietMs: number, capMs: number): Promise<void> {
  if (document.scripts.length === 0 && document.querySelector("iframe, frame") === null)
    return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      observer.disconnect();
      clearTimeout(quiet);
      clearTimeout(cap);
      resolve();
    };
    const observer = new MutationObserver(() => {
      clearTimeout(quiet);
      quiet = window.setTimeout(finish, quietMs);
    });
    let quiet = window.setTimeout(finish, quietMs);
    const cap = window.setTimeout(finish, capMs);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}

/** What a document says about itself, and whether there is anything in it. */
export interface DocumentFacts {
  title: string;
  lang: string;
  /** Whether a person could perceive anything: rendered text, media, controls, frames. */
  perceivable: boolean;
  /** Markup of a small document, cut; "" for a large one, which no bot protection shows. */
  markup: string;
}

export function describeDocument(): DocumentFacts {
  const root = own("documentElement");
  const body = own("body");
  return {
    title: own("title").trim().slice(0, 500),
    lang: (root?.getAttribute("lang") ?? root?.getAttribute("xml:lang") ?? "").trim().slice(0, 100),
    perceivable: body !== null && hasContent(body),
    markup: root && document.getElementsByTagName("*").length < 400 ? root.outerHTML.slice(0, 50_000) : "",
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
  function hasContent(start: Node): boolean {
    const open: Node[] = [start];
    for (let node = open.pop(); node; node = open.pop()) {
      if (node instanceof Text) {
        const parent = node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentElement;
        if (/\S/.test(node.data) && parent && isRendered(parent)) return true;
        continue;
      }
      if (node instanceof Element) {
        if (node.matches("script, style, template, noscript")) continue;
        if (isContent(node) && isRendered(node)) return true;
        if (node.shadowRoot) open.push(node.shadowRoot);
      }
      // In document order, because what comes first is what is most likely seen.
      for (let child = node.lastChild; child; child = child.previousSibling) open.push(child);
    }
    return false;
  }

  function isContent(element: Element): boolean {
    return element.matches(
      "img, svg, math, picture, video, audio, canvas, object, embed, iframe, frame, " +
        "input:not([type=hidden]), button, select, textarea, meter, progress",
    );
  }

  function isRendered(element: Element): boolean {
    if (element.checkVisibility({ visibilityProperty: true })) return true;
    if (element.matches("audio")) return true;
    // It has no box of its own, but what is inside it may have.
    if (getComputedStyle(element).display !== "contents") return false;
    const parent = element.assignedSlot ?? element.parentElement;
    return parent === null || isRendered(parent);
  }
}
