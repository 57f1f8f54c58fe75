import type { Judgement, PageRule } from "~/scan/rules/rampe/page-rule";

/** An element with the focus in the walk. */
interface Reached {
  each: HTMLElement;
  position: number;
  box: DOMRect;
}

/** Step of the focus to the next element. */
interface Step {
  from: Reached;
  to: Reached;
}

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
  judge(_, kit): Judgement | undefined {
    const [leastJumps, leastPx, longestName] = [2, 80, 60];
    const reached = kit.all("a[href], button, input, select, textarea, summary, [tabindex]").flatMap((each) => {
      const stop = kit.stop(each);
      return stop && kit.isVisible(each) && !floats(each) ? [{ each, position: stop.position, box: each.getBoundingClientRect() }] : [];
    });
    // An order by tabindex is judged by another rule.
    if (reached.length < 2 || kit.all("[tabindex]").some(({ tabIndex }) => tabIndex > 0)) return undefined;
    const stops = reached.sort((one, other) => one.position - other.position);
    const steps = stops.flatMap((to, index) => {
      const from = stops[index - 1];
      return from && to.position === from.position + 1 ? [{ from, to }] : [];
    });
    const jumps = steps.filter(({ from, to }) => {
      if (to.box.bottom > from.box.top - leastPx) return false;
      const shared = Math.min(from.box.right, to.box.right) - Math.max(from.box.left, to.box.left);
      return shared > Math.min(from.box.width, to.box.width) / 2 && !isMoved(from.each, to.each);
    });
    return asked("jumps", [jumps]) ?? asked("sideways", groupsOf(steps, rowOf)) ?? asked("columns", groupsOf(steps, columnOf)) ?? "passes";

    /** Question about the first group of several jumps. */
    function asked(key: string, groups: Step[][]): Judgement | undefined {
      const group = groups.find(({ length }) => length >= leastJumps);
      const [first] = group ?? [];
      if (!group || !first) return undefined;
      const [from, to] = [first.from, first.to].map(({ each }) => kit.name(each).slice(0, longestName) || kit.localName(each)) as [string, string];
      return { asks: key, data: { count: group.length, from, to } };
    }

    function groupsOf(all: Step[], keyOf: (step: Step) => string | undefined): Step[][] {
      const groups = new Map<string, Step[]>();
      for (const step of all) {
        const key = keyOf(step);
        if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), step]);
      }
      return [...groups.values()];
    }

    /** Key of the rows in which a step goes against the direction of the text; undefined for other steps. Rows that look alike have one. */
    function rowOf(step: Step): string | undefined {
      const parts = partsOf(step);
      if (!parts) return undefined;
      const { holder, from, to } = parts;
      const height = Math.min(from.bottom, to.bottom) - Math.max(from.top, to.top);
      const isInRow = height > Math.min(from.height, to.height) / 2;
      // Links with one target, such as a picture and its title, are one thing in two parts.
      const isSameTarget = kit.matches(step.from.each, "a") && (step.from.each as HTMLAnchorElement).href === (step.to.each as HTMLAnchorElement).href;
      if (!isInRow || !isAhead(from, to, parts.isMirrored) || isSameTarget) return undefined;
      // "Cancel" before "OK" is a habit, also in several forms.
      const areButtons = [step.from, step.to].every(({ each }) => kit.role(each) === "button");
      return areButtons ? `${keyOf(holder)}` : `${keyOf(kit.composedParent(holder) ?? holder)} ${kit.kindOf(holder)}`;
    }

    /** Key of the column to whose upper part a step goes from a column before it; undefined for other steps. A column after the other is entered once. */
    function columnOf(step: Step): string | undefined {
      const parts = partsOf(step);
      if (!parts || parts.to.bottom > parts.from.top - leastPx || !isAhead(parts.to, parts.from, parts.isMirrored)) return undefined;
      return `${keyOf(parts.holder)} ${Math.round(parts.isMirrored ? parts.to.right : parts.to.left)}`;
    }

    /** Is a box after another one in the direction of the text? */
    function isAhead(box: DOMRect, other: DOMRect, isMirrored: boolean): boolean {
      const rounding = 1;
      return isMirrored ? box.right <= other.left + rounding : box.left >= other.right - rounding;
    }

    function keyOf(element: Element): number {
      const keys = kit.once("holders of focus steps", () => new Map<Element, number>());
      if (!keys.has(element)) keys.set(element, keys.size);
      return keys.get(element) ?? 0;
    }

    /** Boxes between which a step goes, within the innermost common container; undefined if their order cannot be compared, or is judged elsewhere. */
    function partsOf({ from, to }: Step): { holder: Element; from: DOMRect; to: DOMRect; isMirrored: boolean } | undefined {
      const [path, other] = [pathTo(from.each), pathTo(to.each)];
      const depth = path.findIndex((each, index) => each !== other[index]);
      const [holder, one, next] = [path[depth - 1], path[depth], other[depth]];
      if (!holder || !one || !next || isMoved(one, next)) return undefined;
      const { direction, writingMode } = kit.style(holder);
      // Text of another script runs against that around it. Buttons that float to the right are a habit.
      const isExempt = [one, next].some((each) => kit.style(each).display === "inline" || kit.style(each).float !== "none");
      if (isExempt || writingMode !== "horizontal-tb") return undefined;
      return { holder, from: kit.box(one), to: kit.box(next), isMirrored: direction === "rtl" };
    }

    /** Elements from the body to an element, without those that have no box of their own. */
    function pathTo(element: Element): Element[] {
      const path: Element[] = [];
      for (let at: Element | null = element; at; at = kit.composedParent(at)) if (at === element || kit.style(at).display !== "contents") path.unshift(at);
      return path;
    }

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
      return isReversed || parts.some((part) => kit.style(part).order !== "0" || isShifted(part));
    }

    function isShifted(part: Element): boolean {
      const { position, top, left } = kit.style(part);
      return position === "relative" && [top, left].some((offset) => Math.abs(parseFloat(offset) || 0) > 1);
    }
  },
};
