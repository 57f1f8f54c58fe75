/*
 * These functions run inside a page, in an isolated world (see `isolated-world.ts`). They are sent as source text: none may use
 * anything outside itself except types.
 */

/** Text of a page in one language, as declared. */
export interface DeclaredText {
  /** Value of `lang`, "" for none. */
  declared: string;
  text: string;
}

export interface LanguageGlobals {
  /** The parts that `collectTexts` has found, in its order. */
  rampeParts: Element[];
  /** What was detected for the page and its parts; only what differs from what is declared. */
  rampeLanguages: { page?: DetectedLanguage; parts: Map<Element, DetectedLanguage> };
}

export interface DetectedLanguage {
  /** BCP 47. */
  declared: string;
  detected: string;
  isCertain: boolean;
}

/**
 * Texts of the document in its own language, and of its parts in another one, or whose language is not declared although they
 * are long. The first text is that of the page.
 * @param mostCharacters of all texts together
 */
export function collectTexts(mostCharacters: number): DeclaredText[] {
  const longPart = 120;
  const mostParts = 100;
  const root = document.documentElement;
  const declared = root?.getAttribute("lang") ?? "";
  const own = [document.title];
  const parts = new Map<Element, { declared: string; text: string[] }>();
  let left = mostCharacters;
  const walker = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    const isSkipped = node instanceof Element && /^(script|style|noscript|template|code|pre|kbd|samp|textarea|svg|math|address)$/.test(node.localName);
    return isSkipped ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
  });
  for (let node = walker.nextNode(); node && left > 0; node = walker.nextNode()) {
    if (node instanceof HTMLImageElement) add(node, node.alt);
    if (node instanceof Text && node.parentElement && /\p{L}/u.test(node.data)) add(node.parentElement, node.data);
  }
  const kept = [...parts].slice(0, mostParts);
  Object.assign(globalThis, { rampeParts: kept.map(([part]) => part) });
  return [{ declared, text: own.join(" ") }, ...kept.map(([, each]) => ({ declared: each.declared, text: each.text.join(" ") }))];

  function add(holder: Element, text: string): void {
    if (!holder.checkVisibility({ visibilityProperty: true }) || holder.closest("[translate=no], [aria-hidden=true], bdi, cite")) return;
    left -= text.length;
    const marked = holder.closest("[lang]");
    if (marked && marked !== root) return addTo(marked, marked.getAttribute("lang") ?? "", text);
    own.push(text);
    const block = holder.closest("p, li, blockquote, dd, td, h1, h2, h3");
    if (block && (block.textContent ?? "").length >= longPart && !block.querySelector("[lang]")) addTo(block, declared, text);
  }

  function addTo(part: Element, language: string, text: string): void {
    const known = parts.get(part);
    if (known) known.text.push(text);
    else parts.set(part, { declared: language, text: [text] });
  }
}

/** Keeps what was detected for rules to read; one entry for each text of `collectTexts`, null where nothing is to be said. */
export function keepLanguages(found: (DetectedLanguage | null)[]): void {
  const { rampeParts } = globalThis as unknown as LanguageGlobals;
  const [page, ...others] = found;
  const parts = new Map<Element, DetectedLanguage>();
  others.forEach((each, index) => {
    const part = rampeParts[index];
    if (each && part) parts.set(part, each);
  });
  Object.assign(globalThis, { rampeLanguages: { ...(page && { page }), parts } });
}
