import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 2.5.7: elements that can be dragged, by the browser or a known library, can be moved in another way, such as by buttons or a menu. */
export const dragging: PageRule = {
  id: "rampe-dragging",
  since: "1.16.0",
  criteria: ["2.5.7"],
  level: "wcag22aa",
  category: "sensory-and-visual-cues",
  impact: "moderate",
  // Libraries: jQuery UI, whose dialogs and sliders are no cards; react-beautiful-dnd and its successors; dnd-kit.
  selector: "[draggable=true], .ui-sortable-handle, .ui-draggable:not(.ui-dialog), [data-rbd-draggable-id], [data-rfd-draggable-id], [aria-roledescription=sortable], [aria-roledescription=draggable]",
  judge(element, kit) {
    if (!kit.isVisible(element) || !kit.hasHitArea(element)) return undefined;
    if (hasOtherWay()) return "passes";
    // The cards of one board are one question.
    const asked = kit.once("places of what can be dragged", () => new Set<Element | null>());
    const most = 3;
    if (asked.has(element.parentElement) || asked.size === most) return undefined;
    asked.add(element.parentElement);
    return { asks: "draggable" };

    /** Is there a control in it or beside it whose name says that it moves something, or a menu? */
    function hasOtherWay(): boolean {
      const controls = "button, summary, [role=button], select, input[type=number]";
      const moves = /\b(move|up|down|left|right|first|last|position|order)\b|verschieb|beweg|\b(hoch|runter|nach (oben|unten|links|rechts|vorn|hinten)|reihenfolge)\b/i;
      return [...element.querySelectorAll<HTMLElement>(controls)].some((each) => each.hasAttribute("aria-haspopup") || moves.test(kit.name(each)));
    }
  },
};
