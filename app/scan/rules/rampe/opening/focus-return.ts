import type { Judgement, PageRule } from "~/scan/rules/rampe/page-rule";

/** After what a key has opened is closed, the focus returns to its previous place: after each modal dialog, and after menus and the like that got the focus. */
export const focusReturn: PageRule = {
  id: "rampe-focus-return",
  since: "1.6.0",
  criteria: ["2.4.3"],
  level: "wcag2a",
  category: "keyboard",
  impact: "moderate",
  selector: "*",
  isAdvanced: true,
  condition: "opened",
  judge(element, kit): Judgement | undefined {
    const opening = kit.opening(element);
    if (!opening?.closedBy) return undefined;
    const { isModal, losesFocus, returned, returnedTo } = opening;
    if (losesFocus) return { fails: "lost" };
    const longest = 100;
    const data = { name: returnedTo ? kit.name(returnedTo).slice(0, longest) || kit.localName(returnedTo) : "" };
    if (returned === "top") return { fails: "top", data };
    if (returned === "elsewhere") return { asks: "elsewhere", data };
    if (returned === "hidden") return { asks: "hidden", data };
    return isModal || returned ? "passes" : undefined;
  },
};
