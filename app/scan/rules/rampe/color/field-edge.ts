import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Success criterion 1.4.11 for the edges of text fields. A person must decide whether a field can be recognised without its edge. */
export const fieldEdge: PageRule = {
  id: "rampe-field-edge",
  since: "1.4.0",
  criteria: ["1.4.11"],
  level: "wcag21aa",
  category: "color",
  impact: "moderate",
  selector: "input, textarea",
  judge(element, kit) {
    const field = element as HTMLInputElement;
    const parent = field.parentElement;
    const isText = field.localName === "textarea" || /^(text|email|tel|url|password|search|number)$/.test(field.type);
    if (!isText || !parent || !field.matches(":enabled:read-write") || !kit.isVisible(field)) return undefined;
    const style = kit.style(field);
    // Default look of the browser.
    if (style.borderTopStyle === "inset" && style.borderTopWidth === "2px") return "passes";
    if (style.backgroundImage !== "none" || style.boxShadow !== "none") return undefined;
    // An element around the field may be its edge.
    for (let each: Element | null = parent, level = 0; each && level < 3; each = kit.parent(each), level += 1) {
      const { borderTopWidth, borderBottomWidth, boxShadow, outlineStyle } = kit.style(each);
      const isNear = kit.box(each).height < field.getBoundingClientRect().height * 2.5;
      const hasBorder = parseFloat(borderTopWidth) > 0 || parseFloat(borderBottomWidth) > 0;
      if (isNear && (hasBorder || outlineStyle !== "none" || boxShadow !== "none")) return undefined;
    }
    const sides = (["Top", "Right", "Bottom", "Left"] as const).filter((side) => style[`border${side}Style`] !== "none" && parseFloat(style[`border${side}Width`]) > 0);
    const colors = [...sides.map((side) => style[`border${side}Color`]), style.backgroundColor, ...(style.outlineStyle === "none" ? [] : [style.outlineColor])];
    const ratios = colors.map((color) => kit.contrast(parent, color));
    if (ratios.includes(undefined)) return undefined;
    const ratio = Math.max(...(ratios as number[]));
    return ratio >= 3 ? "passes" : { asks: "edge", data: { ratio } };
  },
};
