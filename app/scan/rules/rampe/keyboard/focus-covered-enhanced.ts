import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 2.4.12: no part of the focused element is behind a fixed bar or banner. `rampe-focus-covered` reports wholly hidden elements. */
export const focusCoveredEnhanced: PageRule = {
  id: "rampe-focus-covered-enhanced",
  since: "1.6.0",
  criteria: ["2.4.12"],
  level: "wcag22aaa",
  category: "keyboard",
  impact: "moderate",
  selector: "a[href], area[href], button, input, select, textarea, summary, [tabindex]",
  isAdvanced: true,
  condition: "keyboard",
  judge(element, kit) {
    const stop = kit.stop(element);
    if (!stop || stop.coveredBy || stop.onReturn?.coveredBy || !kit.isVisible(element)) return undefined;
    const cover = stop.partlyCoveredBy ?? stop.onReturn?.partlyCoveredBy;
    if (!cover) return "passes";
    const closers = "button, [role=button], summary, a[href]";
    const canBeClosed = kit.matches(cover, closers) || kit.first(cover, closers) !== null;
    const data = { cover: kit.excerpt(kit.visibleText(cover)) || kit.localName(cover) };
    return canBeClosed ? { asks: "closable", data } : { fails: "covered", data };
  },
};
