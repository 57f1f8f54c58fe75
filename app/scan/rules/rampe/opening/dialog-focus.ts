import type { Judgement, PageRule } from "~/scan/rules/rampe/page-rule";

/** A modal dialog gets the focus, and keeps it until it is closed; also one that is open when the page arrives. */
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
  judge(element, kit): Judgement | undefined {
    const longest = 100;
    const nameOf = (each: Element) => kit.name(each).slice(0, longest) || kit.localName(each);
    const start = kit.startDialog(element);
    if (start) return judgeStart(start);
    const opening = kit.opening(element);
    if (!opening?.isModal || opening.by === "hover" || opening.by === "pointer") return undefined;
    if (opening.focus !== "inside") return { fails: "outside" };
    return opening.leftTo ? { fails: opening.isLeftBack ? "leftBack" : "left", data: { name: nameOf(opening.leftTo) } } : "passes";

    function judgeStart({ kind, isCovering, focus, leftTo }: NonNullable<typeof start>): Judgement | undefined {
      if (kind === "native") return "passes";
      if (!leftTo) return focus === "inside" ? "passes" : undefined;
      const data = { name: nameOf(leftTo.element) };
      // Without a role, or beside the page, it may be no dialog; and the keyboard may come to it after a skip link.
      if (kind === "overlay" || !isCovering) return { asks: "beside", data };
      if (leftTo.by === "arrival") return focus === "behind" ? { fails: "behind", data } : { asks: "beside", data };
      return { fails: leftTo.by === "Tab" ? "left" : "leftBack", data };
    }
  },
};
