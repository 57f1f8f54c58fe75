import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** People who speak to their device, or touch a key by chance, start what a single character starts. */
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
