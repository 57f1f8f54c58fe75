import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F110: the focused element is wholly hidden behind a fixed bar or banner. */
export const focusCovered: PageRule = {
  id: "rampe-focus-covered",
  since: "1.5.0",
  criteria: ["2.4.11"],
  level: "wcag22aa",
  category: "keyboard",
  impact: "serious",
  selector: "a[href], area[href], button, input, select, textarea, summary, [tabindex]",
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    const stop = kit.stop(element);
    if (!stop || !kit.isVisible(element)) return undefined;
    const cover = stop.coveredBy ?? stop.onReturn?.coveredBy;
    if (!cover) return "passes";
    // A dialog or a banner that users can close need not cover the element.
    const canBeClosed = kit.first(cover, "button, [role=button], summary") !== null;
    const data = { cover: kit.excerpt(kit.visibleText(cover)) || kit.localName(cover) };
    return canBeClosed ? { asks: "closable", data } : { fails: "covered", data };
  },
};
