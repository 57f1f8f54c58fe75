/** These functions run inside a page, in an isolated world; they are sent as source text. */

import type { KeysGlobals } from "./trials";

/** Is a widget, or the list of a field, shown? */
export function isOpen(index: number): boolean {
  const { rampeKeys: state, rampeDom: dom } = globalThis as unknown as KeysGlobals;
  const widget = state?.widgets[index];
  const isShown = (part: Element) => part.isConnected && dom.isShown(part, { opacityProperty: true, visibilityProperty: true }) && dom.box(part).width > 1 && dom.box(part).height > 1;
  return widget !== undefined && (widget.role === "combobox" ? widget.items.some(isShown) : isShown(widget.element));
}

/** Does the list of a field lie over other content? In the flow of the page, it only moves it. */
export function coversContent(index: number): boolean {
  const { rampeKeys: state, rampeDom: dom } = globalThis as unknown as KeysGlobals;
  const widget = state?.widgets[index];
  const levels = 5;
  let at: Element | null | undefined = widget?.items[0];
  for (let level = 0; at && level < levels && at !== document.body; level += 1, at = dom.composedParent(at)) {
    if (/^(absolute|fixed)$/.test(getComputedStyle(at).position)) return true;
  }
  return false;
}
