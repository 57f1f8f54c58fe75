/**
 * Lists the elements of the document and its open shadow roots for which a library reacts, with the types of events, such as
 * `[div, "click,keydown"]`: the library listens at an element around them, and keeps the functions at each element (React, Solid,
 * Svelte) or by selector (jQuery). Runs in the page's main world, because only it sees them, so its answer is not to be trusted.
 * @param most maximum number of listed elements
 */
export function findFrameworkListeners(most: number): (Element | string)[] {
  // A selector for more elements usually detects clicks outside of something.
  const mostOfSelector = 200;
  const names: Record<string, string> = { doubleclick: "dblclick" };
  const kept = new Map<Element, Set<string>>();
  const query = (globalThis as { jQuery?: { _data?: (holder: Node, key: string) => Record<string, { selector?: string }[]> | undefined } }).jQuery;
  // The value may be an element of the page with that `id`.
  const isQuery = typeof query?._data === "function";
  look(document);
  return [...kept].slice(0, most).flatMap(([element, types]) => [element, [...types].join(",")]);

  function look(root: Document | ShadowRoot): void {
    ofQuery(root);
    for (const element of root.querySelectorAll("*")) {
      if (kept.size >= most) return;
      for (const key of Object.keys(element)) ofKey(element, key);
      if (element.shadowRoot instanceof ShadowRoot) look(element.shadowRoot);
    }
  }

  function ofKey(element: Element, key: string): void {
    const value = (element as unknown as Record<string, unknown>)[key];
    if (key.startsWith("__reactProps$") || key.startsWith("__reactEventHandlers$")) {
      for (const [name, handler] of Object.entries(value as object)) {
        if (typeof handler === "function" && /^on[A-Z]/.test(name)) keep(element, name.slice(2));
      }
    } else if (/^(\$\$|__)[a-z]+$/.test(key) && (typeof value === "function" || Array.isArray(value))) {
      keep(element, key.slice(2));
    } else if (key.startsWith("jQuery")) {
      ofQuery(element);
    }
  }

  function ofQuery(holder: Document | ShadowRoot | Element): void {
    if (!isQuery) return;
    for (const [type, handlers] of Object.entries(query?._data?.(holder, "events") ?? {})) {
      for (const { selector } of handlers) {
        if (!selector) continue;
        try {
          const matching = holder.querySelectorAll(selector);
          if (matching.length <= mostOfSelector) for (const element of matching) keep(element, type);
        } catch {
          // The selector is valid only in jQuery.
        }
      }
    }
  }

  function keep(element: Element, name: string): void {
    const type = name.toLowerCase();
    kept.set(element, (kept.get(element) ?? new Set()).add(names[type] ?? type));
  }
}
