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
    const bullet = /^\s*([•‣◦▪▫●○■□►▶➤➢✓✔✗✘]|[*·–—-](?=\s))\s*\p{L}/u;
    // Lines of a dialogue begin with dashes too, not with hyphens.
    const spoken = /^\s*[–—].*[.!?…]["'”“»«’]?\s*$/su;
    const fewest = 3;
    if (element.closest("ul, ol, menu, dl, [role=list], [role=listbox], pre, code, nav")) return undefined;
    const lines = linesOf(element);
    if (lines.length < fewest) return undefined;
    let row = 0;
    for (const [index, line] of lines.entries()) {
      row = bullet.test(line) && !spoken.test(line) ? row + 1 : 0;
      if (row < fewest) continue;
      const first = (lines[index + 1 - fewest] ?? "").trim().slice(0, 60);
      return kit.isVisible(element) ? { fails: "bullets", data: { first } } : undefined;
    }
    return undefined;

    /** Lines of its own, or its paragraphs. */
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
