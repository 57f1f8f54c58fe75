import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F103: after a control was pressed a short text appeared, and nothing tells screen readers of it. */
export const statusTold: PageRule = {
  id: "rampe-status-told",
  criteria: ["4.1.3"],
  level: "wcag21aa",
  category: "name-role-value",
  impact: "moderate",
  selector: "*",
  isAdvanced: true,
  condition: "opened",
  judge(element, kit) {
    const { message, focus, isModal, closedBy, expanded = [] } = kit.opening(element) ?? {};
    // What a second press takes away is a part of the page that is shown and hidden.
    if (!message || isModal || focus === "inside" || closedBy === "again" || expanded.some((state) => state !== null)) return undefined;
    if (element.matches("summary, [popovertarget], [commandfor], [role=tab], [aria-haspopup]")) return undefined;
    return message.isTold ? "passes" : { asks: "untold", data: { text: message.text } };
  },
};
