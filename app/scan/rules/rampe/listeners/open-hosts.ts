import type { DomGlobals } from "~/scan/page/dom";

/* These functions run inside a page, in an isolated world. */

interface HostsGlobals {
  rampeOpenHosts?: Element[];
}

/**
 * Finds the elements with open shadow roots in a document with frames, for `openHost`.
 * @param most limit; one more is returned when there are more
 */
export function findOpenHosts(most: number): { hosts: number; hasFrames: boolean } {
  const { shadow } = (globalThis as unknown as DomGlobals).rampeDom;
  const hosts: Element[] = [];
  const hasFrames = window.length > 0;
  if (hasFrames) collect(Document.prototype.querySelectorAll.call(document, "*"));
  (globalThis as HostsGlobals).rampeOpenHosts = hosts;
  return { hosts: hosts.length, hasFrames };

  function collect(elements: Iterable<Element>): void {
    for (const element of elements) {
      const root = shadow(element);
      if (!root) continue;
      if (hosts.length > most) return;
      hosts.push(element);
      collect(root.querySelectorAll("*"));
    }
  }
}

export function openHost(index: number): Element | null {
  return (globalThis as HostsGlobals).rampeOpenHosts?.[index] ?? null;
}
