import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * Contrast of text on a picture, a gradient or another element, where axe-core cannot determine it from the styles. Measured on
 * pictures after all rules (`measure-contrast.ts`), so it judges nothing before.
 */
export const drawnContrast: PageRule = {
  id: "rampe-drawn-contrast",
  since: "1.4.0",
  criteria: ["1.4.3"],
  level: "wcag2aa",
  category: "color",
  impact: "serious",
  selector: "html",
  isAdvanced: true,
  judge: () => undefined,
};
