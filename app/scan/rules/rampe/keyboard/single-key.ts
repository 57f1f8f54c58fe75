import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 2.1.4: a single character starts an action. Speech input, or a key pressed by chance, may start it unintentionally. */
export const singleKey: PageRule = {
  id: "rampe-single-key",
  since: "1.8.0",
  criteria: ["2.1.4"],
  level: "wcag21a",
  category: "keyboard",
  impact: "moderate",
  selector: "html",
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    const characters = kit.keyTrials(element)?.characters;
    if (!characters) return undefined;
    return characters.answered === undefined ? "passes" : { asks: "character", data: { key: characters.answered } };
  },
};
