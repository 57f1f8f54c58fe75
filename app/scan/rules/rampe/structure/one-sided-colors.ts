import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F24: a text colour without a background colour, or the reverse, is combined with the reader's own colours. */
export const oneSidedColors: PageRule = {
  id: "rampe-one-sided-colors",
  since: "1.0.0",
  criteria: ["1.4.3"],
  level: "wcag2aa",
  category: "color",
  impact: "moderate",
  selector: "body",
  judge(element, kit) {
    const roots = [document.documentElement, element];
    const declared = kit.styleRules().filter(({ selector, media }) => kit.applies(media) && roots.some((root) => kit.matches(root, selector)));
    const styles = [...declared.map(({ style }) => style), ...roots.map(({ style }) => style)];
    const hasColor = styles.some(({ color }) => color !== "" && !/inherit|initial|unset|revert|canvastext/i.test(color)) || element.hasAttribute("text");
    const hasGround = styles.some(({ background, backgroundColor, backgroundImage }) => (backgroundColor !== "" && !/transparent|inherit|initial|unset|revert/i.test(backgroundColor)) || /url|gradient/.test(backgroundImage) || /var\(/.test(background)) || element.hasAttribute("bgcolor");
    if (!hasColor && !hasGround) return undefined;
    if (hasColor && hasGround) return "passes";
    return { asks: hasColor ? "text" : "ground" };
  },
};
