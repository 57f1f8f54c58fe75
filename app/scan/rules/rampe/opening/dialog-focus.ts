import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** A modal dialog gets the focus, and keeps it until it is closed. */
export const dialogFocus: PageRule = {
  id: "rampe-dialog-focus",
  since: "1.6.0",
  criteria: ["2.4.3"],
  level: "wcag2a",
  category: "keyboard",
  impact: "serious",
  selector: "*",
  isAdvanced: true,
  condition: "opened",
  judge(element, kit) {
    const opening = kit.opening(element);
    if (!opening?.isModal || opening.by === "hover" || opening.by === "pointer") return undefined;
    if (opening.focus !== "inside") return { fails: "outside" };
    return opening.leftTo ? { fails: "left", data: { name: kit.name(opening.leftTo).slice(0, 100) || opening.leftTo.localName } } : "passes";
  },
};
