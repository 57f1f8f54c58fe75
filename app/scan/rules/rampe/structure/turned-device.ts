import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 1.3.4, tested by turning a phone: one orientation shows only a request to turn it (failure F100), or content turned by 90 degrees
 * (F97). `rampe-orientation-lock` and `rampe-orientation-message` find the same in style sheets; if they failed, this rule does not run.
 */
export const turnedDevice: PageRule = {
  id: "rampe-turned-device",
  since: "1.10.0",
  criteria: ["1.3.4"],
  level: "wcag21aa",
  category: "structure",
  impact: "serious",
  selector: "html, body, body *",
  isAdvanced: true,
  condition: "landscape",
  judge(element, kit) {
    const facts = kit.orientation();
    if (!facts) return undefined;
    const { verdict, element: found } = facts;
    if (!verdict) return element === document.documentElement ? "passes" : undefined;
    if (element !== found) return undefined;
    const outcome = `${verdict.kind}-${verdict.orientation}`;
    return verdict.isCertain ? { fails: outcome } : { asks: outcome };
  },
};
