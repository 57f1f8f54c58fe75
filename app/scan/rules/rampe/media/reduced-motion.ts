import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 2.3.3: content moves because the page is scrolled, or a link in it is followed, although the user's settings ask for less motion.
 * A person must decide whether the page has a switch of its own.
 */
export const reducedMotion: PageRule = {
  id: "rampe-reduced-motion",
  since: "1.6.0",
  criteria: ["2.3.3"],
  level: "wcag21aaa",
  category: "time-and-media",
  impact: "moderate",
  selector: "html, body *",
  includesHidden: true,
  isAdvanced: true,
  condition: "reduced-motion",
  judge(element, kit) {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) return element === document.documentElement ? "passes" : undefined;
    if (element === document.documentElement) return glides() ? { asks: "glides" } : "passes";
    return kit.once("moved by scrolling", movedByScrolling).has(element) ? { asks: "scrolled" } : undefined;

    /** Do links in the page scroll smoothly to their target? */
    function glides(): boolean {
      const isLong = document.documentElement.scrollHeight > innerHeight * 2;
      return isLong && kit.style(element).scrollBehavior === "smooth" && kit.all("a[href^='#']").some(({ hash }: Partial<HTMLAnchorElement>) => (hash?.length ?? 0) > 1);
    }

    /** Elements moved by scrolling, one for each animation name. */
    function movedByScrolling(): Set<Element> {
      const moved = new Map<string, Element>();
      for (const animation of document.getAnimations()) {
        const { effect, timeline } = animation;
        if (!timeline || timeline === document.timeline || !(effect instanceof KeyframeEffect) || !effect.target || !kit.isShown(effect.target)) continue;
        const name = animation instanceof CSSAnimation ? animation.animationName : kit.localName(effect.target);
        if (!moved.has(name) && moves(effect)) moved.set(name, effect.target);
      }
      return new Set(moved.values());
    }

    /** Do the frames differ in place or size? */
    function moves(effect: KeyframeEffect): boolean {
      const least = 2;
      const frames = effect.getKeyframes();
      const properties = ["transform", "translate", "scale", "rotate", "left", "top", "right", "bottom", "offsetDistance", "backgroundPositionY"];
      return frames.length >= least && properties.some((property) => new Set(frames.map((frame) => String(frame[property]))).size > 1);
    }
  },
};
