/*
 * This function runs inside a page, in a world of our own (see `world.ts`). It is sent as source text: it may use nothing
 * outside itself but types.
 */

/** Where a document says it belongs, and where it leads. All addresses are absolute and have no fragment. */
export interface DocumentLinks {
  /** What it names as its own address (`<link rel="canonical">`); null where it names none, or no web address. */
  canonical: string | null;
  /**
   * Web addresses of its links, and of the frames of a frameset, each once, in document order; those to download, and
   * overlong ones, are left out.
   */
  links: string[];
}

export function describeLinks(mostLinks: number, longestAddress: number): DocumentLinks {
  const links = new Set<string>();
  collect(document);
  const canonical = document.querySelector<HTMLLinkElement>("link[rel~='canonical' i][href]");
  return { canonical: canonical && (webAddress(canonical.href) ?? null), links: [...links] };

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

  /** A form's own may be hidden by a control of that name. */
  function matches(element: Element, selector: string): boolean {
    return Element.prototype.matches.call(element, selector);
  }

  /** In SVG, `href` is an object, and not resolved. */
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
