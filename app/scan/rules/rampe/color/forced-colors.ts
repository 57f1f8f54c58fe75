import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 1.4.11, for users whose browser or system replaces all colours by a few of their own: it drops backgrounds and shadows, and keeps
 * borders, text and pictures. A control that is drawn only by a background, such as an icon cut out by a mask, is invisible then. WCAG
 * does not say whether its contrast applies to colours of the user, so a person decides.
 */
export const forcedColors: PageRule = {
  id: "rampe-forced-colors",
  since: "1.17.0",
  criteria: ["1.4.11"],
  level: "wcag21aa",
  category: "color",
  impact: "serious",
  selector: "html, body *",
  includesHidden: true,
  isAdvanced: true,
  condition: "forced-colors",
  judge(element, kit) {
    const lost = kit.drawings()?.lost;
    if (element === document.documentElement) return lost && lost.size > 0 ? undefined : "passes";
    return lost?.has(element) && kit.isFirstOfKind(element, "rampe-forced-colors") ? { asks: "lost" } : undefined;
  },
};
