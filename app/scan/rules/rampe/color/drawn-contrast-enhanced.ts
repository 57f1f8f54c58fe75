import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Same as `rampe-drawn-contrast`, for the contrast of level AAA: one measurement answers both. */
export const drawnContrastEnhanced: PageRule = {
  id: "rampe-drawn-contrast-enhanced",
  since: "1.6.0",
  criteria: ["1.4.6"],
  level: "wcag2aaa",
  category: "color",
  impact: "moderate",
  selector: "html",
  isAdvanced: true,
  judge: () => undefined,
};
