import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Content that opens for a pointer opens for the keyboard as well. */
export const opensByKeyboard: PageRule = {
  id: "rampe-opens-by-keyboard",
  since: "1.6.0",
  criteria: ["2.1.1"],
  level: "wcag2a",
  category: "keyboard",
  impact: "critical",
  selector: "*",
  isAdvanced: true,
  condition: "opened",
  judge(element, kit) {
    const { by, hadFocus, isItem, isSwap } = kit.opening(element) ?? {};
    // Other keys activate items of a list, or their field takes the focus.
    const isByPointer = by === "hover" || by === "pointer";
    // Slides may have changed by themselves.
    if (!by || !hadFocus || (isByPointer && (isItem || isSwap))) return undefined;
    if (by === "pointer") return { fails: "pointer" };
    return by === "hover" ? { asks: "hover" } : "passes";
  },
};
