/** These functions run inside a page, in an isolated world. */

/** What an element's text became, and when, by the page's own clock in ms. */
export interface TextChange {
  at: number;
  text: string;
}

export interface TextChangesGlobals {
  rampeTexts?: { changes: Map<Element, TextChange[]>; stop(): void };
}

/** Records the changes of texts, unless it already does. Large parts that change are left out: they are other content, not a text. */
export function watchTexts(): void {
  const isolatedWorld = globalThis as unknown as TextChangesGlobals;
  if (isolatedWorld.rampeTexts) return;
  const [mostTexts, mostChanges, mostElements, mostCharacters] = [300, 60, 20, 200];
  const changes = new Map<Element, TextChange[]>();
  const observer = new MutationObserver((records) => {
    const at = performance.now();
    for (const element of new Set(records.map(({ target }) => (target instanceof Element ? target : target.parentElement)))) if (element) note(element, at);
  });
  observer.observe(document, { subtree: true, childList: true, characterData: true });
  isolatedWorld.rampeTexts = { changes, stop: () => observer.disconnect() };

  function note(element: Element, at: number): void {
    if (element.getElementsByTagName("*").item(mostElements)) return;
    const known = changes.get(element) ?? [];
    const text = (element.textContent ?? "").slice(0, mostCharacters).replace(/\s+/g, " ").trim();
    if (known.length >= mostChanges || (known.length === 0 && changes.size >= mostTexts) || known.at(-1)?.text === text) return;
    changes.set(element, [...known, { at, text }]);
  }
}

/** Call it before the page is used: people may well change texts. */
export function stopWatchingTexts(): void {
  (globalThis as unknown as TextChangesGlobals).rampeTexts?.stop();
}
