import type { Judgement, PageRule } from "~/scan/rules/rampe/page-rule";

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
  judge(element, kit): Judgement | undefined {
    const { by, hadFocus, isItem, isSwap, isBare, isCaused, closedBy } = kit.opening(element) ?? {};
    // Content that a second click closes, or a third one shows again, did not come by itself.
    if (isBare) return by === "pointer" && !isSwap && (isCaused || closedBy === "again") && !hasOther() ? { fails: "bare" } : undefined;
    // Other keys activate items of a list, or their field takes the focus.
    const isByPointer = by === "hover" || by === "pointer";
    // Slides may have changed by themselves.
    if (!by || !hadFocus || (isByPointer && (isItem || isSwap))) return undefined;
    if (by === "pointer") return { fails: "pointer" };
    return by === "hover" ? { asks: "hover" } : "passes";

    /** Is there a control beside it, which may open the same? */
    function hasOther(): boolean {
      const opener = "[aria-expanded], [aria-haspopup], [aria-controls], summary";
      const [closest, further] = [kit.parent(element), kit.parent(kit.parent(element) ?? element)];
      const has = (around: Element | null, selector: string) => around !== null && !kit.matches(around, "body, main") && kit.insideComposed(around, selector).some((other) => kit.isInTabOrder(other) && kit.isVisible(other));
      return kit.isFocusable(element) || has(further, opener) || has(closest, `${opener}, button, input, select, [role=button], a[href^='#'], a[href^='javascript:']`);
    }
  },
};
