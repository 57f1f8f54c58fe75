import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F103: a short text appeared after a control was pressed, and screen readers do not announce it. */
export const statusTold: PageRule = {
  id: "rampe-status-told",
  since: "1.13.0",
  criteria: ["4.1.3"],
  level: "wcag21aa",
  category: "name-role-value",
  impact: "moderate",
  selector: "*",
  isAdvanced: true,
  condition: "opened",
  judge(element, kit) {
    const { by, message, focus, isModal, isSwap, closedBy, expanded = [] } = kit.opening(element) ?? {};
    // A text that appears without a press is a hint; a text that replaces other content is a slide.
    if (!message || by === "focus" || by === "hover" || isSwap) return undefined;
    // Content that disappears with a second press is a part of the page that is shown and hidden.
    if (isModal || focus === "inside" || closedBy === "again" || expanded.some((state) => state !== null)) return undefined;
    if (kit.matches(element, "summary, [popovertarget], [commandfor], [role=tab], [aria-haspopup]")) return undefined;
    return message.isTold ? "passes" : { asks: "untold", data: { text: message.text } };
  },
};
