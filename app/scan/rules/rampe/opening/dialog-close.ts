import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 2.1.2: a modal dialog can be closed by keyboard: by Escape, by the control that opened it, or by a close button in it. */
export const dialogClose: PageRule = {
  id: "rampe-dialog-close",
  since: "1.18.0",
  criteria: ["2.1.2"],
  level: "wcag2a",
  category: "keyboard",
  impact: "serious",
  selector: "*",
  // The control is behind the dialog, which is still open; a dialog that came with the page is hidden after it was closed.
  includesHidden: true,
  isAdvanced: true,
  condition: "opened",
  judge(element, kit) {
    const start = kit.startDialog(element);
    if (start) {
      if (start.closedBy === "pointer") return { asks: "pointer" };
      if (start.closedBy) return start.closedBy === "itself" ? undefined : "passes";
      return start.isHeld && !start.leftTo && !start.isUnknown ? { asks: "start" } : undefined;
    }
    const opening = kit.opening(element);
    if (!opening?.isModal || opening.by === "focus" || opening.by === "hover" || opening.by === "pointer") return undefined;
    if (opening.closedBy) return "passes";
    return opening.leftTo || opening.focus !== "inside" ? undefined : { asks: "stays" };
  },
};
