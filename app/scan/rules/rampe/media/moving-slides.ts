import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 2.2.2: a box whose parts alternate by themselves, such as a carousel. */
export const movingSlides: PageRule = {
  id: "rampe-moving-slides",
  since: "1.20.0",
  criteria: ["2.2.2"],
  level: "wcag2a",
  category: "time-and-media",
  impact: "moderate",
  selector: "body *",
  includesHidden: true,
  isAdvanced: true,
  isWatched: true,
  judge(element, kit) {
    const limits = { shortestMs: 1_500, longestMs: 15_000, ratio: 1.6, changes: 3, width: 150, height: 60, characters: 3, most: 3 };
    // Frames are not watched.
    if (self !== top) return undefined;
    const seconds = kit.once("moving slides", movingBoxes).get(element);
    if (seconds === undefined) return undefined;
    return kit.saysThatItStops() ? "passes" : { asks: "slides", data: { seconds } };

    /** Pause between two changes in seconds, by box. A box around other moving boxes is skipped. */
    function movingBoxes(): Map<Element, number> {
      const found = new Map<Element, number>();
      for (const [box, changes] of kit.slideChanges()) {
        // A slide that fades out and the next one that fades in are two changes.
        const [pauses = []] = [changes, ...[0, 1].map((start) => changes.filter((_, index) => index % 2 === start))].map(regularPauses).filter((each) => each.length > 0);
        if (pauses.length > 0 && box.isConnected && isSeen(box) && !isLoading(box)) found.set(box, Math.round(pauses.reduce((sum, each) => sum + each, 0) / pauses.length / 1_000));
      }
      const innermost = [...found].filter(([box]) => ![...found.keys()].some((other) => other !== box && kit.contains(box, other)));
      return new Map(innermost.slice(0, limits.most));
    }

    /** The longest series of pauses of about the same length, if it has enough changes of different parts; in ms. */
    function regularPauses(changes: { at: number; what: string[] }[]): number[] {
      let [longest, current]: [number[], number[]] = [[], []];
      let [first, from] = [0, 0];
      changes.slice(1).forEach(({ at }, index) => {
        const pause = at - changes[index]!.at;
        const fits = pause >= limits.shortestMs && pause <= limits.longestMs;
        const isRegular = fits && [...current, pause].every((each) => each <= pause * limits.ratio && pause <= each * limits.ratio);
        if (!isRegular) [current, from] = [fits ? [pause] : [], fits ? index : index + 1];
        else current = [...current, pause];
        if (current.length > longest.length) [longest, first] = [current, from];
      });
      const parts = new Set(changes.slice(first, first + longest.length + 1).flatMap(({ what }) => what));
      return longest.length + 1 >= limits.changes && parts.size > 1 ? longest : [];
    }

    /** Has the box at least two parts with content? Parts that are not shown yet are often hidden. */
    function isSeen(box: Element): boolean {
      const { width, height } = kit.box(box);
      const isShown = kit.isShown(box, { visibilityProperty: true, opacityProperty: true });
      return isShown && width >= limits.width && height >= limits.height && kit.children(box).filter(hasContent).length > 1;
    }

    function hasContent(part: Element): boolean {
      return kit.first(part, "img, picture, video, canvas") !== null || kit.matches(part, "img, picture, video") || kit.text(part).trim().length >= limits.characters || kit.style(part).backgroundImage.includes("url(");
    }

    function isLoading(box: Element): boolean {
      const names = /spin|load(er|ing)|progress|skeleton|shimmer|typing/i;
      return kit.closest(box, "[role=progressbar], [aria-busy=true], progress, meter") !== null || names.test(kit.attribute(box, "class") ?? "");
    }
  },
};
