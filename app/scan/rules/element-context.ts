import type { ElementContext } from "~/scan/types";
import type { Axe, VirtualNode } from "./axe-internals";

/*
 * This function runs inside a page, in an isolated world with axe-core loaded (see `isolated-world.ts`). It is sent as
 * source text: it may use nothing outside itself except types.
 */

export interface ElementContextGlobals {
  /** Place of an element, in words; undefined if unknown. Call it only while axe's rules run, because it uses axe's tree. */
  contextOf(element: Element): ElementContext | undefined;
}

/**
 * Defines `contextOf`. Call it once per frame, before axe runs.
 * @param longest maximum characters of each text
 * @param mostMs time for all elements together; after that, it returns undefined
 */
export function defineElementContext(longest: number, mostMs: number): void {
  const { axe } = globalThis as unknown as { axe: Axe };
  const { aria, text } = axe.commons;
  const landmarkRoles = ["banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"];
  /** Roles whose content axe uses as their name, which does not help users to find them. */
  const containers = ["listitem", "row", "rowgroup"];
  const mostEmptyHeadings = 20;
  // axe creates new virtual nodes for every run.
  const landmarks = new WeakMap<VirtualNode, ElementContext["landmark"] | null>();
  const headings = new WeakMap<VirtualNode, VirtualNode[]>();
  const headingTexts = new WeakMap<VirtualNode, string>();
  let spentMs = 0;

  (globalThis as unknown as ElementContextGlobals).contextOf = (element) => {
    if (spentMs > mostMs) return undefined;
    const began = performance.now();
    try {
      return contextOf(element);
    } catch {
      // axe throws errors for the roles of some elements.
      return undefined;
    } finally {
      spentMs += performance.now() - began;
    }
  };

  function contextOf(element: Element): ElementContext | undefined {
    const node = axe.utils.getNodeFromTree(element);
    if (!node) return undefined;
    const role = aria.getRole(node, { noPresentational: true });
    const name = role && !containers.includes(role) ? nameOf(node) : "";
    const heading = headingOver(node);
    return {
      ...(role && { role }),
      ...(name && { name }),
      ...(heading && { heading }),
      landmark: landmarkAround(node) ?? undefined,
    };
  }

  function nameOf(node: VirtualNode): string {
    return text.sanitize(text.accessibleTextVirtual(node)).slice(0, longest);
  }

  function landmarkAround(node: VirtualNode): ElementContext["landmark"] | null {
    const passed: VirtualNode[] = [];
    let found: ElementContext["landmark"] | null = null;
    for (let at = node.parent; at && !found; at = at.parent) {
      const known = landmarks.get(at);
      if (known === null) break;
      found = known ?? landmarkOf(at);
      passed.push(at);
    }
    for (const each of passed) landmarks.set(each, found);
    return found;
  }

  function landmarkOf(node: VirtualNode): ElementContext["landmark"] | null {
    const role = aria.getRole(node);
    return role && landmarkRoles.includes(role) ? { role, name: nameOf(node) } : null;
  }

  function headingOver(node: VirtualNode): string {
    const all = headingsOf(node);
    let at = all.length;
    for (let low = 0; low < at; ) {
      const middle = (low + at) >> 1;
      if ((all[middle]?.nodeIndex ?? 0) < node.nodeIndex) low = middle + 1;
      else at = middle;
    }
    for (let tries = 0; tries < mostEmptyHeadings; tries += 1) {
      at -= 1;
      const heading = all[at];
      if (!heading) break;
      const words = headingText(heading);
      if (words !== "") return words;
    }
    return "";
  }

  /** Headings in document order. */
  function headingsOf(node: VirtualNode): VirtualNode[] {
    let root = node;
    while (root.parent) root = root.parent;
    let all = headings.get(root);
    if (!all) {
      all = axe.utils
        .querySelectorAll(root, "h1, h2, h3, h4, h5, h6, [role=heading]")
        .sort((a, b) => a.nodeIndex - b.nodeIndex);
      headings.set(root, all);
    }
    return all;
  }

  /** Text of a heading; "" if it is hidden, or has another role. */
  function headingText(heading: VirtualNode): string {
    let words = headingTexts.get(heading);
    if (words === undefined) {
      words = aria.getRole(heading) === "heading" ? nameOf(heading) : "";
      headingTexts.set(heading, words);
    }
    return words;
  }
}
