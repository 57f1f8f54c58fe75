import type { AnalyserWorld } from "~/scan/rules/analyser";

/*
 * This function runs inside a page, in a world of our own (see `world.ts`). It is sent as source text: it may use nothing
 * outside itself but types.
 */

/** Documents inside this one that are there for a visitor, but not for an analysis. */
export interface EmbeddedDocuments {
  /** For each frame that axe wants to see inside: the address that it has yet to load, null where it has. */
  toCome: (string | null)[];
  /** Addresses of documents in `object` and `embed` elements, at which axe does not look. */
  unseen: string[];
}

/** Once the rules have run. */
export function describeEmbedded(most: number, longestAddress: number): EmbeddedDocuments {
  const { frames } = (globalThis as unknown as AnalyserWorld).analyser;
  const objects: string[] = [];
  const embeds: string[] = [];
  let frameCount = 0;
  collect(document);
  // An embed does not say whether there is a document in it, but the window counts all of them.
  const documentsInEmbeds = window.length - frameCount - objects.length;
  const unseen = documentsInEmbeds > 0 ? [...objects, ...embeds] : objects;
  return { toCome: frames.map(toCome), unseen: unseen.filter((address) => address !== "").slice(0, most) };

  /** An empty document stands in a frame until its own begins to load: late, or when it is scrolled to. */
  function toCome(frame: Element | null): string | null {
    if (!(frame instanceof HTMLIFrameElement || frame instanceof HTMLFrameElement)) return null;
    const inside = frame.contentDocument;
    if (inside?.URL !== "about:blank" || inside.body?.firstChild) return null;
    if (frame.hasAttribute("srcdoc")) return "about:srcdoc";
    return /^(about:blank|javascript:|$)/i.test(frame.src) ? null : frame.src.slice(0, longestAddress);
  }

  function collect(root: Document | ShadowRoot): void {
    for (const element of root.querySelectorAll("*")) {
      if (element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement) {
        frameCount += element.contentWindow ? 1 : 0;
      } else if (element instanceof HTMLObjectElement) {
        if (element.contentWindow) objects.push(addressIn(element, element.data));
      } else if (element instanceof HTMLEmbedElement) {
        embeds.push(addressIn(element, element.src));
      } else if (element.shadowRoot instanceof ShadowRoot) collect(element.shadowRoot);
    }
  }

  /** "" for one that nobody sees. */
  function addressIn(element: Element, address: string): string {
    return element.checkVisibility({ visibilityProperty: true }) ? address.slice(0, longestAddress) : "";
  }
}
