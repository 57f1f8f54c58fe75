import type { AnalyserGlobals } from "~/scan/rules/analyser";

/*
 * This function runs inside a page, in an isolated world (see `isolated-world.ts`). It is sent as source text: it may use
 * nothing outside itself except types.
 */

/** Inner documents that are visible to users, but not analysed. */
export interface EmbeddedDocuments {
  /** Address of each frame that axe wants to examine, if not loaded yet; null if loaded. */
  toCome: (string | null)[];
  /** Addresses of documents in `object` and `embed` elements, which axe ignores. */
  unseen: string[];
}

/** Call it after the rules. */
export function describeEmbedded(most: number, longestAddress: number): EmbeddedDocuments {
  const { frames } = (globalThis as unknown as AnalyserGlobals).analyser;
  const objects: string[] = [];
  const embeds: string[] = [];
  let frameCount = 0;
  collect(document);
  // An embed does not show whether it contains a document, but the window counts all of them.
  const documentsInEmbeds = window.length - frameCount - objects.length;
  const unseen = documentsInEmbeds > 0 ? [...objects, ...embeds] : objects;
  return { toCome: frames.map(toCome), unseen: unseen.filter((address) => address !== "").slice(0, most) };

  /** Address of a frame that still holds an empty document: its own loads late, or when it is scrolled into view. */
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

  /** Address; "" for an invisible element. */
  function addressIn(element: Element, address: string): string {
    return element.checkVisibility({ visibilityProperty: true }) ? address.slice(0, longestAddress) : "";
  }
}
