/*
 * These functions run inside a page, in an isolated world (see `isolated-world.ts`). They are sent as source text: none may use
 * anything outside itself except types.
 */

import type { DomGlobals } from "~/scan/page/dom";

/** Text of a page in one language, as declared. */
export interface DeclaredText {
  /** Value of `lang`; "" for none. */
  declared: string;
  text: string;
  /** The element itself declares the language, or it is the whole page. */
  isMarked: boolean;
}

export interface LanguageGlobals {
  /** Parts found by `collectTexts`, in its order. */
  rampeParts: Element[];
  /** Detected languages of the page and its parts; only those that differ from the declared ones. */
  rampeLanguages: { page?: DetectedLanguage; isPageJudged: boolean; parts: Map<Element, DetectedLanguage> };
}

export interface DetectedLanguage {
  /** BCP 47 tag. */
  declared: string;
  detected: string;
  isCertain: boolean;
}

/**
 * Texts of the document in its own language, and of its parts in another one; also long parts without a declared language.
 * The first text is that of the page.
 * @param mostCharacters limit for all texts together
 */
export function collectTexts(mostCharacters: number): DeclaredText[] {
  const { rampeDom: dom } = globalThis as unknown as DomGlobals;
  const longPart = 120;
  const blocks = "p, li, blockquote, dd, td, h1, h2, h3";
  const mostParts = 100;
  const root = document.documentElement;
  const declared = root?.getAttribute("lang") ?? "";
  const own = [document.title];
  const parts = new Map<Element, { declared: string; text: string[]; isMarked: boolean }>();
  const longParts = new Map<Element, boolean>();
  let left = mostCharacters;
  const walker = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    const isSkipped = node instanceof Element && /^(script|style|noscript|template|code|pre|kbd|samp|textarea|svg|math|address)$/.test(dom.localName(node));
    return isSkipped ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
  });
  for (let node = walker.nextNode(); node && left > 0; node = walker.nextNode()) {
    if (node instanceof HTMLImageElement) add(node, node.alt, false);
    if (node instanceof Element && dom.isShown(node)) addHiddenNames(node);
    const holder = node instanceof Text && /\p{L}/u.test(node.data) && dom.parent(node);
    if (holder) add(holder, (node as Text).data, true);
  }
  const kept = [...parts].slice(0, mostParts);
  Object.assign(globalThis, { rampeParts: kept.map(([part]) => part) });
  return [{ declared, text: own.join(" "), isMarked: true }, ...kept.map(([, each]) => ({ ...each, text: each.text.join(" ") }))];

  /** @param isSeen false for the text alternative of a picture, which may be in another language if the part has no `lang` */
  function add(holder: Element, text: string, isSeen: boolean): void {
    if (!dom.isShown(holder, { visibilityProperty: true }) || dom.closest(holder, "[translate=no], [aria-hidden=true], bdi, cite")) return;
    left -= text.length;
    const marked = dom.closest(holder, "[lang]");
    if (marked && marked !== root) return addTo(marked, dom.attribute(marked, "lang") ?? "", text, true);
    own.push(text);
    const block = isSeen ? dom.closest(holder, blocks) : null;
    if (block && isLongPart(block)) addTo(block, declared, text, false);
  }

  /** Adds hidden text that names an element: screen readers read it. */
  function addHiddenNames(named: Element): void {
    for (const id of (dom.attribute(named, "aria-labelledby") ?? "").split(/\s+/)) {
      const name = document.getElementById(id);
      const marked = !name || dom.isShown(name) ? null : dom.closest(name, "[lang]");
      if (name && marked && marked !== root) addTo(marked, dom.attribute(marked, "lang") ?? "", dom.text(name), true);
    }
  }

  /** Is the block a long part? Blocks inside a block are separate parts; the text around them is credits and the like. */
  function isLongPart(block: Element): boolean {
    const known = longParts.get(block) ?? ((block.textContent ?? "").replace(/\s+/g, " ").length >= longPart && !block.querySelector(`[lang], ${blocks}`));
    longParts.set(block, known);
    return known;
  }

  function addTo(part: Element, language: string, text: string, isMarked: boolean): void {
    const known = parts.get(part);
    if (known) known.text.push(text);
    else parts.set(part, { declared: language, text: [text], isMarked });
  }
}

/** Keeps the detected languages for rules: one entry for each text of `collectTexts`, null for no statement. */
export function keepLanguages(found: (DetectedLanguage | null)[], isPageJudged: boolean): void {
  const { rampeParts } = globalThis as unknown as LanguageGlobals;
  const [page, ...others] = found;
  const parts = new Map<Element, DetectedLanguage>();
  others.forEach((each, index) => {
    const part = rampeParts[index];
    if (each && part) parts.set(part, each);
  });
  Object.assign(globalThis, { rampeLanguages: { ...(page && { page }), isPageJudged, parts } });
}
