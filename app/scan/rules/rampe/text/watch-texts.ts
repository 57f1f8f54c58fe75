/** These functions run inside a page, in an isolated world. */

import type { DomGlobals } from "~/scan/page/dom";

/** New text of an element, and the time by the page's own clock in ms; "" after the text disappeared. */
export interface TextChange {
  at: number;
  text: string;
}

export interface TextChangesGlobals {
  rampeTexts?: { changes: Map<Element, TextChange[]>; stop(): void };
}

/**
 * Records changes of texts, and texts that appear and disappear by their styles, unless already recording. Large parts that change are
 * skipped: they are other content, not a text.
 */
export function watchTexts(): void {
  const isolatedWorld = globalThis as unknown as TextChangesGlobals & DomGlobals;
  const { rampeDom: dom } = isolatedWorld;
  if (isolatedWorld.rampeTexts) return;
  const [mostTexts, mostChanges, mostElements, mostCharacters, mostStyled] = [300, 60, 20, 200, 5_000];
  const changes = new Map<Element, TextChange[]>();
  const shown = new WeakMap<Element, boolean>();
  let styled = 0;
  const elementsOf = (records: MutationRecord[]) => new Set(records.flatMap(({ target }) => (target instanceof Element ? target : (dom.parent(target) ?? []))));
  const texts = new MutationObserver((records) => {
    const at = performance.now();
    for (const element of elementsOf(records)) note(element, at, textOf(element));
  });
  const styles = new MutationObserver((records) => {
    const at = performance.now();
    for (const element of elementsOf(records)) noteStyle(element, at);
    // Recording would slow down a page that changes its styles all the time, for example during a movement.
    if (styled > mostStyled) styles.disconnect();
  });
  texts.observe(document, { subtree: true, childList: true, characterData: true });
  styles.observe(document, { subtree: true, attributes: true, attributeFilter: ["style", "class", "hidden"] });
  isolatedWorld.rampeTexts = {
    changes,
    stop() {
      texts.disconnect();
      styles.disconnect();
    },
  };

  function isLarge(element: Element): boolean {
    return Element.prototype.getElementsByTagName.call(element, "*").item(mostElements) !== null;
  }

  function textOf(element: Element): string {
    return dom.text(element).slice(0, mostCharacters).replace(/\s+/g, " ").trim();
  }

  function noteStyle(element: Element, at: number): void {
    styled += 1;
    if (isLarge(element)) return;
    const text = textOf(element);
    if (text === "") return;
    const isShown = dom.isShown(element, { visibilityProperty: true, opacityProperty: true });
    const wasShown = shown.get(element);
    shown.set(element, isShown);
    if (wasShown !== undefined && isShown !== wasShown) note(element, at, isShown ? text : "");
  }

  function note(element: Element, at: number, text: string): void {
    if (isLarge(element)) return;
    const known = changes.get(element) ?? [];
    if (known.length >= mostChanges || (known.length === 0 && changes.size >= mostTexts) || known.at(-1)?.text === text) return;
    changes.set(element, [...known, { at, text }]);
  }
}

/** Stops the recording. Call it before the page is used, because using it may change texts. */
export function stopWatchingTexts(): void {
  (globalThis as unknown as TextChangesGlobals).rampeTexts?.stop();
}
