import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 1.4.8, one question per page: running text has long lines, little space between them, or is justified. Readers may be able to
 * change that, for example in their browser, so the result is never certain.
 */
export const textPresentation: PageRule = {
  id: "rampe-text-presentation",
  since: "1.6.0",
  criteria: ["1.4.8"],
  level: "wcag2aaa",
  category: "sensory-and-visual-cues",
  impact: "minor",
  selector: "p, li, dd, blockquote",
  judge(element, kit) {
    const first = kit.once("text to present in another way", () => {
      const texts = kit.all("p, li, dd, blockquote").flatMap((each) => factsOf(each) ?? []);
      const worst = texts.toSorted((one, other) => other.faults - one.faults)[0];
      return { worst, count: texts.length };
    });
    const { worst, count } = first;
    if (count === 0) return undefined;
    if (!worst || worst.faults === 0) return "passes";
    if (worst.element !== element) return undefined;
    const { characters, spacing, isJustified } = worst;
    return { asks: isJustified ? "justified" : "lines", data: { characters, spacing, most: worst.most } };

    interface TextFacts {
      element: Element;
      /** Deviations, from 0 to 3. */
      faults: number;
      /** Length of a usual line. */
      characters: number;
      most: number;
      /** Distance between lines, as a multiple of the font size. */
      spacing: number;
      isJustified: boolean;
    }

    /** Facts of a block with at least three lines of text of its own. */
    function factsOf(block: HTMLElement): TextFacts | undefined {
      const [fewestLetters, fewestLines, leastSpacing, mostLatin, mostWide] = [150, 3, 1.5, 80, 40];
      const words = (block.textContent ?? "").replace(/\s+/g, " ").trim();
      if (words.length < fewestLetters || !kit.isVisible(block) || block.querySelector("p, li, div, table, br, ul, ol, pre")) return undefined;
      const range = document.createRange();
      range.selectNodeContents(block);
      const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 4);
      const lines = linesOf(boxes);
      const last = lines.at(-1);
      if (lines.length < fewestLines || !last) return undefined;
      const [widest, fontSize] = [Math.max(...lines.map(({ width }) => width)), Number.parseFloat(kit.style(block).fontSize)];
      const characters = Math.round(words.length / (lines.length - 1 + Math.min(1, last.width / widest)));
      const wide = words.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
      const most = wide > words.length / 2 ? mostWide : mostLatin;
      const gaps = lines.slice(1).map(({ bottom }, index) => bottom - (lines[index]?.bottom ?? 0)).sort((one, other) => one - other);
      const spacing = Math.round(((gaps[Math.floor(gaps.length / 2)] ?? 0) / fontSize) * 100) / 100;
      const isJustified = kit.style(block).textAlign === "justify";
      const faults = [characters > most, spacing < leastSpacing - 0.01, isJustified].filter(Boolean).length;
      return { element: block, faults, characters, most, spacing, isJustified };
    }

    /** Lines of text: boxes beside each other are one line. */
    function linesOf(boxes: DOMRect[]): { bottom: number; width: number }[] {
      const lines: { top: number; bottom: number; left: number; right: number }[] = [];
      for (const { top, bottom, left, right } of boxes) {
        const line = lines.at(-1);
        if (!line || top > line.bottom - (line.bottom - line.top) / 2) lines.push({ top, bottom, left, right });
        else Object.assign(line, { left: Math.min(line.left, left), right: Math.max(line.right, right) });
      }
      return lines.map(({ bottom, left, right }) => ({ bottom, width: right - left }));
    }
  },
};
