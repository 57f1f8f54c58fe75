import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F44 without tabindex: style sheets draw parts in another order than the focus order. */
export const focusOrder: PageRule = {
  id: "rampe-focus-order",
  since: "1.8.0",
  criteria: ["2.4.3"],
  level: "wcag2a",
  category: "keyboard",
  impact: "moderate",
  selector: "body",
  isAdvanced: true,
  condition: "keyboard",
  judge(_, kit) {
    const [leastJumps, leastPx, longestName] = [2, 80, 60];
    const reached = kit.all("a[href], button, input, select, textarea, summary, [tabindex]").flatMap((each) => {
      const stop = kit.stop(each);
      return stop && kit.isVisible(each) && !floats(each) ? [{ each, position: stop.position, box: each.getBoundingClientRect() }] : [];
    });
    // An order by tabindex is judged by another rule.
    if (reached.length < 2 || kit.all("[tabindex]").some(({ tabIndex }) => tabIndex > 0)) return undefined;
    const stops = reached.sort((one, other) => one.position - other.position);
    const jumps = stops.flatMap((to, index) => {
      const from = stops[index - 1];
      if (!from || to.position !== from.position + 1 || to.box.bottom > from.box.top - leastPx) return [];
      const shared = Math.min(from.box.right, to.box.right) - Math.max(from.box.left, to.box.left);
      const isSameColumn = shared > Math.min(from.box.width, to.box.width) / 2;
      return isSameColumn && !isMoved(from.each, to.each) ? [[from.each, to.each] as const] : [];
    });
    const [first] = jumps;
    if (!first || jumps.length < leastJumps) return "passes";
    const [from, to] = first.map((each) => kit.name(each).slice(0, longestName) || each.localName) as [string, string];
    return { asks: "jumps", data: { count: jumps.length, from, to } };

    /** Is it in a part that does not scroll with the page, or that scrolls by itself? */
    function floats(each: Element): boolean {
      for (let at: Element | null = each; at && at !== document.body; at = kit.parent(at)) {
        const { position, overflowX, overflowY } = kit.style(at);
        if (/^(fixed|sticky|absolute)$/.test(position) || /auto|scroll/.test(`${overflowX} ${overflowY}`)) return true;
      }
      return false;
    }

    /** Are the parts reordered within their container? That is judged by the rule about the reading order. */
    function isMoved(from: Element, to: Element): boolean {
      let holder = kit.parent(from);
      while (holder && !kit.contains(holder, to)) holder = kit.parent(holder);
      const parts = holder ? kit.children(holder).filter((part) => kit.contains(part, from) || kit.contains(part, to)) : [];
      const isReversed = holder !== null && /reverse/.test(`${kit.style(holder).flexDirection} ${kit.style(holder).flexWrap}`);
      return isReversed || parts.some((part) => kit.style(part).order !== "0" || kit.style(part).position === "relative");
    }
  },
};
