import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failures F4 and F47: text that blinks without end, even if this browser does not show it. */
export const blinkingText: PageRule = {
  id: "rampe-blinking-text",
  since: "1.0.0",
  criteria: ["2.2.2"],
  level: "wcag2a",
  category: "time-and-media",
  impact: "serious",
  selector: "body *",
  judge(element, kit) {
    if (!kit.style(element).textDecorationLine.includes("blink")) return undefined;
    const parent = kit.parent(element);
    const isInherited = parent !== null && kit.style(parent).textDecorationLine.includes("blink");
    return isInherited || kit.visibleText(element) === "" ? undefined : { fails: "blink" };
  },
};
