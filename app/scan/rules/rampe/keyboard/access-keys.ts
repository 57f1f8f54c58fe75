import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Two controls with the same access key: browsers reach only one, or none at once. */
export const accessKeys: PageRule = {
  id: "rampe-access-keys",
  since: "1.9.0",
  criteria: ["2.1.1"],
  level: "wcag2a",
  category: "keyboard",
  impact: "minor",
  selector: "[accesskey]",
  judge(element, kit) {
    const keyOf = (each: Element) => (each.getAttribute("accesskey") ?? "").trim().toLowerCase();
    const key = keyOf(element);
    if (key === "" || !kit.isVisible(element)) return undefined;
    const all = kit.once("access keys", () => kit.all("[accesskey]").filter((each) => kit.isVisible(each) && !each.matches(":disabled")));
    const same = all.filter((each) => keyOf(each) === key);
    // One question for all these controls.
    if (same[0] !== element) return undefined;
    const addressOf = (each: Element) => (each instanceof HTMLAnchorElement ? each.href : "");
    const isOneThing = addressOf(element) !== "" && same.every((each) => addressOf(each) === addressOf(element));
    return same.length > 1 && !isOneThing ? { asks: "twice", data: { key, count: same.length } } : "passes";
  },
};
