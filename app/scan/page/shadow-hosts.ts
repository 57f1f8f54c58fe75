/*
 * These functions run inside a page, in an isolated world (see `isolated-world.ts`). They are sent as source text: none
 * may use anything outside itself except types.
 */

interface HostsGlobals {
  possibleHosts: Element[];
}

/**
 * Finds elements that may have a closed shadow root, which scripts cannot see: custom elements, and others that have a
 * size but no content. Returns their number.
 */
export function findPossibleHosts(most: number): number {
  const mostCharacters = 20_000;
  const hosts: Element[] = [];
  collect(document);
  (globalThis as unknown as HostsGlobals).possibleHosts = hosts;
  return hosts.length;

  function collect(root: Document | ShadowRoot): void {
    for (const element of root.querySelectorAll("*")) {
      if (hosts.length === most) return;
      if (element.shadowRoot instanceof ShadowRoot) collect(element.shadowRoot);
      else if (mayHost(element)) hosts.push(element);
    }
  }

  /** Names of valid hosts: https://dom.spec.whatwg.org/#valid-shadow-host-name */
  function mayHost(element: Element): boolean {
    // A form's controls may hide its methods by having the same names.
    if (!(element instanceof HTMLElement) || element instanceof HTMLFormElement) return false;
    // The browser's answer about a host contains all of its attributes.
    if ([...element.attributes].reduce((sum, { value }) => sum + value.length, 0) > mostCharacters) return false;
    if (element.localName.includes("-")) return true;
    if (
      !/^(article|aside|blockquote|div|footer|h[1-6]|header|main|nav|p|section|span)$/.test(element.localName)
    )
      return false;
    // With a shadow root, an element's own children are only visible through it.
    for (let child = element.firstChild; child; child = child.nextSibling)
      if (child instanceof Element || (child instanceof Text && /\S/.test(child.data))) return false;
    return element.offsetWidth > 0 && element.offsetHeight > 0;
  }
}

/** The possible host at this index. */
export function possibleHost(index: number): Element | null {
  return (globalThis as unknown as HostsGlobals).possibleHosts[index] ?? null;
}
