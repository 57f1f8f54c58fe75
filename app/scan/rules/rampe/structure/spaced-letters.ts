import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F32: blanks or line breaks inside a word, for its looks, split the word in speech output. */
export const spacedLetters: PageRule = {
  id: "rampe-spaced-letters",
  since: "1.0.0",
  criteria: ["1.3.2"],
  level: "wcag2a",
  category: "structure",
  impact: "moderate",
  selector: "p, div, span, h1, h2, h3, h4, h5, h6, td, th, li, a, b, strong, em, font, button, label",
  judge(element, kit) {
    if (!kit.isVisible(element) || kit.around(element, "[aria-label], [role=img]") || element.hasAttribute("aria-label")) return undefined;
    const own = [...element.childNodes].map(textOf).join("");
    const isColumn = /^\s*\p{L}(?:\s*\n\s*\p{L}){2,}\s*$/u.test(own);
    if (isColumn) return { fails: "letters", data: { text: own.replace(/\s+/g, " ").trim().slice(0, 60) } };
    if (/^\p{Script=Han}(?:[\s\u3000]+\p{Script=Han}){1,3}$/u.test(own.trim())) return { asks: "ideographs", data: { text: own.replace(/\s+/g, " ").trim() } };
    const spaced = /(?<![\p{L}\p{N}])\p{L}(?:[ \u00a0\u2000-\u200a\n]+\p{L}){3,}(?![\p{L}\p{N}])/u.exec(own.trim());
    if (!spaced) return undefined;
    const letters = spaced[0].match(/\p{L}/gu) ?? [];
    // An alphabet or a row of grades consists of single letters.
    const isRow = letters.every((letter, index) => index === 0 || (letter.toLowerCase().codePointAt(0) ?? 0) > ((letters[index - 1] ?? "").toLowerCase().codePointAt(0) ?? 0));
    const isText = /\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}/u.test(spaced[0]);
    if (isRow || !isText || new Set(letters).size < 3) return undefined;
    const data = { text: spaced[0].replace(/\s+/g, " ").slice(0, 60) };
    // Single letters may be keys, notes or unknowns, in running text and in cells: "W A S D".
    const labels = "h1, h2, h3, h4, h5, h6, a[href], button, [role=heading], [role=link], [role=button]";
    const isLabel = spaced[0].length === own.trim().length && (kit.matches(element, labels) || kit.around(element, labels) !== null);
    const mostNames = 8;
    const isWord = (/\p{Ll}/u.test(spaced[0]) || letters.length > mostNames) && /[aeiouyäöüаеиоуыαεηιου]/i.test(spaced[0]);
    return isLabel || isWord || spaced[0].includes("\u00a0") ? { fails: "letters", data } : { asks: "letters", data };

    function textOf(node: Node): string {
      if (node instanceof Text) return node.data;
      return node instanceof HTMLBRElement ? "\n" : "\u2063";
    }
  },
};
