/* This function runs inside a page, in an isolated world, after `defineMeetings` and `defineExcuses`; it is sent as source text. */

import type { DomGlobals } from "~/scan/page/dom";
import type { ExcuseGlobals } from "./cover-excuses";
import type { Line, MeasureGlobals } from "./measures";
import type { MeetingGlobals, Meetings } from "./meetings";

/** A text that is drawn, and the element that hides it. */
export interface Covered {
  cover: Element;
  /** The cover is opaque, hides a whole line, and neither of them is a layer of its own. */
  isCertain: boolean;
  /** Positions of both with their ancestors: styles of the condition may make a layer of one. */
  positions: string;
}

/** Texts that the paint of other elements hides. */
interface Covers {
  /** Texts that elements hide which did not meet them before, and whether all could be examined. Scrolls the page. */
  find(lines: Line[], before: Meetings): { covered: Map<Element, Covered>; isCoverComplete: boolean };
  /** In the usual condition: forgets texts that are covered or missing here, too; keeps one for each cover. Scrolls the page. */
  confirm(found: Map<Element, Covered>, lines: Line[]): void;
  /** In the condition again: forgets texts that are covered no longer. Scrolls the page. */
  repeat(found: Map<Element, Covered>, lines: Line[]): void;
}

export interface CoverGlobals {
  rampeCovers?: Covers;
}

/** Bounds of the hit tests: texts, lines of each, and places of a line, in parts of its width and height. */
export const HIT_TESTS = { texts: 20, lines: 4, across: [0.1, 0.3, 0.5, 0.7, 0.9], down: [0.3, 0.7] };

/** @param bounds `HIT_TESTS` */
export function defineCovers(bounds: typeof HIT_TESTS): void {
  /** Texts and elements over or under them that are compared. */
  const mostPairs = 10_000;
  /** Parts of the places of a line that count as hidden. */
  const [leastHidden, nearlyAll] = [0.3, 0.9];
  const globals = globalThis as unknown as CoverGlobals & ExcuseGlobals & MeasureGlobals & MeetingGlobals & DomGlobals;
  const { rampeDom: dom, rampeExcuses: excuses, rampeMeet: meet } = globals;
  if (!excuses || !meet) throw new Error("No excuses are defined.");
  const { paintOf, branches, isLayer, openTest } = excuses;
  globals.rampeCovers = { find, confirm, repeat };

  function find(lines: Line[], before: Meetings): ReturnType<Covers["find"]> {
    const covered = new Map<Element, Covered>();
    const now = before && meet?.(lines);
    if (!now) return { covered, isCoverComplete: false };
    const { canBeHidden, canHide, mayHide } = openTest();
    let [texts, pairs] = [0, 0];
    for (const [holder, elements] of now) {
      if (!canBeHidden(holder)) continue;
      const near = [...elements].filter((each) => !before.get(holder)?.has(each) && canHide(each, holder));
      pairs += near.length;
      if (pairs > mostPairs) break;
      const fresh = near.filter((each) => mayHide(each, holder));
      if (fresh.length === 0) continue;
      texts += 1;
      if (texts > bounds.texts) break;
      const result = hiddenBy(holder, fresh, lines);
      if (result) covered.set(holder, result);
    }
    scrollTo({ top: 0, left: 0, behavior: "instant" });
    return { covered, isCoverComplete: texts <= bounds.texts && pairs <= mostPairs };
  }

  function hiddenBy(holder: Element, covers: Element[], lines: Line[]): Covered | undefined {
    const boxes = covers.map((each) => dom.box(each)).map(({ top, bottom }) => ({ top: top + scrollY, bottom: bottom + scrollY }));
    const own = lines.filter((line) => line.holder === holder);
    const met = own.filter(({ top, bottom }) => boxes.some((box) => box.top < bottom && box.bottom > top));
    const leastHits = (bounds.across.length * bounds.down.length) / 2;
    let most: { cover: Element; share: number; isOpaque: boolean } | undefined;
    for (const line of (globals.rampeMeasures?.seenParts(met) ?? []).slice(0, bounds.lines)) {
      const hits = hitsOn(line).map((above) => above.filter((each) => covers.includes(each)));
      const hidden = hits.filter((above) => above.length > 0);
      const isOpaque = hidden.every((above) => above.some((each) => isOpaqueOver(each, holder)));
      const cover = hidden[0]?.find((each) => isOpaqueOver(each, holder)) ?? hidden[0]?.[0];
      const share = hits.length >= leastHits ? hidden.length / hits.length : 0;
      // A short word may be a number or a mark.
      const isWord = line.right - line.left >= 2 * (line.bottom - line.top);
      if (cover && share > (most?.share ?? 0)) most = { cover, share, isOpaque: isOpaque && isWord };
    }
    if (!most || most.share < leastHidden) return undefined;
    const [text, over] = branches(holder, most.cover);
    // A picture may take the place of the words.
    const control = dom.closest(holder, "a, button, label, summary, nav");
    const isInOneControl = control !== null && dom.holds(control, most.cover);
    const isCertain = most.isOpaque && most.share >= nearlyAll && !text.some(isLayer) && !isInOneControl;
    return { cover: most.cover, isCertain, positions: positionsOf([...text, ...over]) };
  }

  /** Elements above the text at places of a line, except those around it; no entry for places at which the text cannot be hit. */
  function hitsOn(line: Line): Element[][] {
    const [width, height] = [line.right - line.left, line.bottom - line.top];
    scrollTo({ left: line.left + width / 2 - innerWidth / 2, top: line.top + height / 2 - innerHeight / 2, behavior: "instant" });
    return bounds.across.flatMap((across) =>
      bounds.down.flatMap((down) => {
        const stack = dom.stackAt(line.left + width * across - scrollX, line.top + height * down - scrollY);
        const at = stack.indexOf(line.holder);
        const hides = (each: Element) => !dom.holds(each, line.holder) && !dom.holds(line.holder, each) && paintOf(each) !== "none";
        return at < 0 ? [] : [stack.slice(0, at).filter(hides)];
      }),
    );
  }

  /** Is nothing to be seen through the element, nor through those around it? */
  function isOpaqueOver(cover: Element, holder: Element): boolean {
    const [, over] = branches(holder, cover);
    const isWhole = (each: Element) => {
      const { opacity, mixBlendMode, maskImage, filter } = getComputedStyle(each);
      return Number(opacity) === 1 && mixBlendMode === "normal" && maskImage === "none" && filter === "none";
    };
    return paintOf(cover) === "opaque" && over.every(isWhole);
  }

  function positionsOf(elements: Element[]): string {
    const describe = ({ position, display }: CSSStyleDeclaration) => `${position} ${display === "none"}`;
    return elements.map((each) => describe(getComputedStyle(each))).join();
  }

  function confirm(found: Map<Element, Covered>, lines: Line[]): void {
    for (const [holder, covered] of found) {
      const own = globals.rampeMeasures?.seenParts(lines.filter((line) => line.holder === holder)) ?? [];
      const hits = own.slice(0, bounds.lines * 2).flatMap(hitsOn);
      if (hits.length === 0 || hits.some((above) => above.length > 0)) {
        found.delete(holder);
        continue;
      }
      const [text, over] = branches(holder, covered.cover);
      const isSame = positionsOf([...text, ...over]) === covered.positions && dom.isShown(covered.cover, { visibilityProperty: true });
      covered.isCertain &&= isSame;
    }
    const texts = [...found].sort(([, one], [, other]) => Number(other.isCertain) - Number(one.isCertain));
    for (const [holder, { cover }] of texts) if (texts.find(([, other]) => other.cover === cover)?.[0] !== holder) found.delete(holder);
    scrollTo({ top: 0, left: 0, behavior: "instant" });
  }

  function repeat(found: Map<Element, Covered>, lines: Line[]): void {
    for (const [holder, { cover, isCertain }] of found) {
      const now = hiddenBy(holder, [cover], lines);
      if (now) found.set(holder, { ...now, isCertain: isCertain && now.isCertain });
      else found.delete(holder);
    }
    scrollTo({ top: 0, left: 0, behavior: "instant" });
  }
}
