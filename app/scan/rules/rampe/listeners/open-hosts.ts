import type { DomGlobals } from "~/scan/page/dom";

/* These functions run inside a page, in an isolated world. */

interface HostsGlobals {
  rampeOpenHosts?: Element[];
}

/** Finds the elements with open shadow roots in a document with frames, for `openHost`. */
export function findOpenHosts(): { hosts: number; hasFrames: boolean } {
  const { rampeDom: dom } = globalThis as unknown as DomGlobals;
  const hasFrames = window.length > 0;
  const [, ...inner] = dom.roots();
  const hosts = hasFrames ? inner.map(({ host }) => host) : [];
  (globalThis as HostsGlobals).rampeOpenHosts = hosts;
  return { hosts: hosts.length, hasFrames };
}

export function openHost(index: number): Element | null {
  return (globalThis as HostsGlobals).rampeOpenHosts?.[index] ?? null;
}
