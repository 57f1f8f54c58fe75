import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Contrast of placeholders, which are text (Understanding 1.4.3); axe-core measures only typed text. */
export const placeholderContrast: PageRule = {
  id: "rampe-placeholder-contrast",
  since: "1.4.0",
  criteria: ["1.4.3"],
  level: "wcag2aa",
  category: "color",
  impact: "serious",
  selector: "input[placeholder], textarea[placeholder]",
  judge(element, kit) {
    const field = element as HTMLInputElement;
    if (!field.matches(":placeholder-shown:enabled") || !kit.isVisible(field) || !/[\p{L}\p{N}]/u.test(field.placeholder)) return undefined;
    if (field.closest("[aria-disabled=true]")) return undefined;
    const { webkitTextFillColor, opacity, visibility, fontSize, fontWeight, textIndent } = getComputedStyle(field, "::placeholder");
    const isDrawn = visibility === "visible" && parseFloat(fontSize) >= 1 && Math.abs(parseFloat(textIndent)) < field.clientWidth;
    const { paddingLeft, paddingRight } = kit.style(field);
    const width = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    if (!isDrawn || width < parseFloat(fontSize) * 2) return undefined;
    const ratio = kit.contrast(field, webkitTextFillColor, Number(opacity));
    // Such a placeholder is invisible on purpose: a label covers the field instead.
    if (ratio === undefined || ratio < 1.05) return undefined;
    const size = parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    const required = isLarge ? 3 : 4.5;
    return ratio >= required ? "passes" : { fails: "low", data: { ratio, required } };
  },
};
