/*
 * This function runs inside a page, in an isolated world (see `isolated-world.ts`). It is sent as source text: it may use
 * nothing outside itself except types.
 */

/** The canonical address and the links of a document. All addresses are absolute and have no fragment. */
export interface DocumentLinks {
  /** Address of the page according to `<link rel="canonical">`; null if missing or not a web address. */
  canonical: string | null;
  /**
   * Web addresses of its links, and of the frames of a frameset, without duplicates, in document order; download links
   * and overlong addresses are left out.
   */
  links: string[];
}

export function describeLinks(mostLinks: number, longestAddress: number): DocumentLinks {
  const links = new Set<string>();
  collect(document);
  const canonical = document.querySelector("link[rel~='canonical' i][href]");
  return { canonical: canonical && (webAddress(canonical.getAttribute("href") ?? "") ?? null), links: [...links] };

  function collect(root: Document | ShadowRoot): void {
    for (const element of root.querySelectorAll("*")) {
      if (links.size >= mostLinks) return;
      const link = matches(element, "a[href]:not([download]), area[href]:not([download]), frame[src]")
        ? webAddress(addressOf(element))
        : undefined;
      if (link) links.add(link);
      if (element.shadowRoot instanceof ShadowRoot) collect(element.shadowRoot);
    }
  }

  /** A form control of that name may hide the form's own method. */
  function matches(element: Element, selector: string): boolean {
    return Element.prototype.matches.call(element, selector);
  }

  /** Address of a link; in SVG, `href` is an object, and not resolved. */
  function addressOf(element: Element): string {
    if (element instanceof HTMLFrameElement) return element.src;
    const { href } = element as HTMLAnchorElement;
    return typeof href === "string" ? href : (element.getAttribute("href") ?? "");
  }

  function webAddress(href: string): string | undefined {
    if (href.length > longestAddress || !URL.canParse(href, document.baseURI)) return undefined;
    const address = new URL(href, document.baseURI);
    address.hash = "";
    return /^https?:$/.test(address.protocol) ? address.href : undefined;
  }
}
