import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F10: the keyboard moves the focus in, and no usual key moves it out again. */
export const keyboardTrap: PageRule = {
  id: "rampe-keyboard-trap",
  since: "1.5.0",
  criteria: ["2.1.2"],
  level: "wcag2a",
  category: "keyboard",
  impact: "critical",
  selector: "*",
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    const stop = kit.stop(element);
    if (!stop) return undefined;
    if (!stop.traps) return "passes";
    // Another key is allowed as the way out, if users are informed about it.
    const keys = /\b(esc(ape)?|ctrl|strg|control|alt|shift|umschalt(taste)?|f\d{1,2}|taste[n]?|tastenkombination|tastenkürzel|keys?|shortcuts?|press|drücken)\b/i;
    return keys.test(kit.visibleText(document.body)) ? { asks: "advised" } : { fails: "held" };
  },
};
