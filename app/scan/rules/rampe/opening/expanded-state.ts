import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** A control that shows and hides a part of the page exposes the state of that part. */
export const expandedState: PageRule = {
  id: "rampe-expanded-state",
  since: "1.6.0",
  criteria: ["4.1.2"],
  level: "wcag2a",
  category: "name-role-value",
  impact: "serious",
  selector: "*",
  isAdvanced: true,
  condition: "opened",
  judge(element, kit) {
    const opening = kit.opening(element);
    // What no key reaches has no role either: its state is the smaller problem.
    if (!opening?.by || opening.by === "focus" || opening.by === "hover" || opening.isBare) return undefined;
    const [before, opened] = opening.expanded;
    // Content beside the page that got the focus is closed by Escape first.
    const isClosable = opening.closedBy === "again" || (opening.closedBy === "Escape" && opening.focus === "inside" && !opening.isModal);
    // What appears after a link of a tree or menu is where it leads, not the part with its items.
    if (kit.matches(element, "a:is([role=treeitem], [role=menuitem])[href]:not([href='#'], [href^='javascript:'])")) return undefined;
    if (before !== null) return before === "false" && opened === "false" && isClosable ? { fails: "wrong" } : "passes";
    // The browser exposes the state of these elements itself, of a label by its field; a dialog takes the focus; swapped content, such as a slide, has no state.
    if (opening.isSwap || opening.isModal || opening.focus === "inside" || kit.matches(element, "summary, [popovertarget], [commandfor], [role=tab], label")) return undefined;
    if (opening.closedBy !== "again") return undefined;
    return opening.isRenamed ? "passes" : { asks: "none" };
  },
};
