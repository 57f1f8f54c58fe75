import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique G162: labels are placed before fields, and after checkboxes and radio buttons. */
export const labelPosition: PageRule = {
  id: "rampe-label-position",
  since: "1.0.0",
  criteria: ["3.3.2"],
  level: "wcag2a",
  category: "forms",
  impact: "minor",
  selector: "input, select, textarea",
  judge(element, kit) {
    const field = element as HTMLInputElement;
    if (/^(hidden|submit|button|reset|image|file|range|color)$/.test(field.type) || !kit.isVisible(field)) return undefined;
    const [label] = field.labels ?? [];
    if (!label || !kit.isVisible(label) || kit.visibleText(label) === "") return undefined;
    const words = boxOfText(label);
    const box = field.getBoundingClientRect();
    if (!words || box.width < 4) return undefined;
    const isRightToLeft = kit.style(field).direction === "rtl";
    const isSameLine = words.bottom > box.top && words.top < box.bottom;
    const isBefore = isSameLine ? (isRightToLeft ? words.left >= box.right - 2 : words.right <= box.left + 2) : words.bottom <= box.top + 2;
    const isAfter = isSameLine ? (isRightToLeft ? words.right <= box.left + 2 : words.left >= box.right - 2) : words.top >= box.bottom - 2;
    const isChoice = /^(checkbox|radio)$/.test(field.type);
    if (isChoice) return isBefore && isSameLine ? { asks: "choice" } : "passes";
    return isAfter && isSameLine ? { asks: "field" } : "passes";

    function boxOfText(holder: Element): DOMRect | undefined {
      const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if ((node.nodeValue ?? "").trim() === "" || node.parentElement?.closest("select, option, textarea, button")) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect();
      }
      return undefined;
    }
  },
};
