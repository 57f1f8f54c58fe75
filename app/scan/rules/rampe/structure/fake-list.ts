import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique H48: a list made of typed bullets and line breaks. */
export const fakeList: PageRule = {
  id: "rampe-fake-list",
  since: "1.0.0",
  criteria: ["1.3.1"],
  level: "wcag2a",
  category: "structure",
  impact: "moderate",
  selector: "p, div, td, section, article, main, body, span, font",
  judge(element, kit) {
    const bullet = /^\s*([•‣◦▪▫●○■□►▶➤➢✓✔✗✘✅☑❌➡👉🔹🔸]\uFE0F?|[*·–—-](?=\s))\s*["'“”„‚«»(]?[\p{L}\p{N}]/u;
    // A number with a blank and a word behind it, not a date or a decimal.
    const numbered = /^\s*(\d{1,2})[.)]\s+\p{L}/u;
    // Lines of a dialogue begin with dashes too, not with hyphens.
    const spoken = /^\s*[–—].*[.!?…]["'”“»«’]?\s*$/su;
    const fewest = 3;
    if (element.closest("ul, ol, menu, dl, [role=list], [role=listbox], [role=menu], [role=menubar], [role=tree], [role=grid], [role=table], [role=radiogroup], pre, code, nav")) return undefined;
    const lines = linesOf(element);
    if (lines.length < fewest) return undefined;
    let row = 0;
    let rising = 0;
    let last = 0;
    for (const [index, line] of lines.entries()) {
      row = bullet.test(line) && !spoken.test(line) ? row + 1 : 0;
      const number = Number(numbered.exec(line)?.[1] ?? 0);
      rising = number === 0 ? 0 : number === last + 1 ? rising + 1 : 1;
      last = number;
      if (row < fewest && rising < fewest) continue;
      const data = { first: (lines[index + 1 - fewest] ?? "").trim().slice(0, 60) };
      if (!kit.isVisible(element)) return undefined;
      return row < fewest ? { asks: "numbers", data } : { fails: "bullets", data };
    }
    return undefined;

    /** Lines of the element itself, or its paragraphs. */
    function linesOf(holder: Element): string[] {
      const lines = [""];
      for (const node of kit.nodes(holder)) {
        if (node instanceof Text) lines[lines.length - 1] += node.data;
        if (!(node instanceof HTMLElement)) continue;
        const localName = kit.localName(node);
        if (localName === "br") lines.push("");
        else if (/^(p|div)$/.test(localName)) lines.push(kit.children(node).length < 5 ? kit.text(node).slice(0, 300) : "", "");
        else lines[lines.length - 1] += kit.text(node).slice(0, 300);
      }
      return lines.filter((line) => line.trim() !== "");
    }
  },
};
