/*
 * These functions run inside a page, in a world of our own (see `world.ts`). They are sent as source text: none may use
 * anything outside itself but types.
 */

interface HostsWorld {
  possibleHosts: Element[];
}

/**
 * Looks for elements that may have a closed shadow root, which no script can see: custom elements, and others that have
 * a size without having content. Answers with their number.
 */
export function findPossibleHosts(most: number): number {
  const hosts: Element[] = [];
  collect(document);
  (globalThis as unknown as HostsWorld).possibleHosts = hosts;
  return hosts.length;

  function collect(root: Document | ShadowRoot): void {
    for (const element of root.querySelectorAll("*")) {
      if (hosts.length === most) return;
      if (element.shadowRoot instanceof ShadowRoot) collect(element.shadowRoot);
      else if (mayHost(element)) hosts.push(element);
    }
  }

  /** Names by https://dom.spec.whatwg.org/#valid-shadow-host-name */
  function mayHost(element: Element): boolean {
    // The parts of a form may be hidden by controls of the same names.
    if (!(element instanceof HTMLElement) || element instanceof HTMLFormElement) return false;
    if (element.localName.includes("-")) return true;
    if (
      !/^(article|aside|blockquote|div|footer|h[1-6]|header|main|nav|p|section|span)$/.test(element.localName)
    )
      return false;
    // Where there is a shadow root, an element's own children are only seen through it.
    for (let child = element.firstChild; child; child = child.nextSibling)
      if (child instanceof Element || (child instanceof Text && /\S/.test(child.data))) return false;
    return element.offsetWidth > 0 && element.offsetHeight > 0;
  }
}

/** The element at this place among those found. */
export function possibleHost(index: number): Element | null {
  return (globalThis as unknown as HostsWorld).possibleHosts[index] ?? null;
}
