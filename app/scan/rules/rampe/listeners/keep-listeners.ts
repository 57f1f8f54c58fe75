/** These functions run inside a page, in an isolated world. */

export interface ElementListeners {
  /** Types of the listeners of each element and of the document, with those of the window, such as `click`; undefined if unknown. */
  rampeListeners?: Map<Node, string[]>;
  /** Types of the listeners to changes of fields, and to movements of the pointer; as `rampeListeners`. */
  rampeFurtherListeners?: Map<Node, string[]>;
  /** Elements with listeners for the arrival of the pointer, as far as known. */
  rampeHovered?: Element[];
}

/** Keeps the types of listeners in a global for rules; both lists are in the same order. Null stands for an element that has gone. */
export function keepListeners({ global, types }: { global: "rampeListeners" | "rampeFurtherListeners"; types: string[][] }, ...elements: (Node | null)[]): void {
  const known = new Map<Node, string[]>();
  elements.forEach((element, index) => {
    if (element?.getRootNode({ composed: true }) === document) known.set(element, types[index] ?? []);
  });
  Object.assign(globalThis, { [global]: known });
}

export function keepHovered(_: null, ...elements: (Node | null)[]): void {
  Object.assign(globalThis, { rampeHovered: elements.filter((element) => element instanceof Element && element.ownerDocument === document) });
}

/** Clears the listeners: an earlier analysis of the same document may have kept some. */
export function forgetListeners(): void {
  Object.assign(globalThis, { rampeListeners: undefined, rampeFurtherListeners: undefined, rampeHovered: undefined });
}
