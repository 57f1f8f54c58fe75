import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F16: content that moves by itself for longer than five seconds, by a style sheet, a script's animation or a video. */
export const movingContent: PageRule = {
  id: "rampe-moving-content",
  since: "1.4.0",
  criteria: ["2.2.2"],
  level: "wcag2a",
  category: "time-and-media",
  impact: "moderate",
  selector: "body *",
  // Copies of running text are visible, but often hidden from assistive technology.
  includesHidden: true,
  judge(element, kit) {
    const limit = { ms: 5_000, pixels: 16 };
    return kit.once("moving elements", movingElements).has(element) ? { asks: "moves" } : undefined;

    /** Moving elements, one for each animation name: the same animation is one question. */
    function movingElements(): Set<Element> {
      const moving = new Map<string, Element>();
      for (const animation of document.getAnimations()) {
        const { effect, timeline } = animation;
        // Animations with another timeline move only while the user scrolls.
        if (timeline !== document.timeline || animation instanceof CSSTransition) continue;
        const target = effect instanceof KeyframeEffect && !effect.pseudoElement ? effect.target : null;
        if (!target || animation.playState !== "running" || Number(effect?.getComputedTiming().endTime) <= limit.ms || !isSeen(target)) continue;
        const name = animation instanceof CSSAnimation ? animation.animationName : `${kit.localName(target)}.${kit.attribute(target, "class") ?? ""}`;
        if (!moving.has(name) && moves(effect as KeyframeEffect)) moving.set(name, target);
      }
      const all = new Set<Element>([...moving.values(), ...kit.all("video[autoplay]:not([controls])").filter(isLongVideo)]);
      return new Set([...all].filter((each) => !isInside(each, all)));
    }

    function isLongVideo(video: Element): boolean {
      const { loop, duration } = video as HTMLVideoElement;
      // The length of a video that has not loaded is unknown.
      return isSeen(video) && (loop || !(duration <= limit.ms / 1_000));
    }

    function isSeen(target: Element): boolean {
      const { width, height } = kit.box(target);
      const isShown = kit.isShown(target, { visibilityProperty: true }) && kit.isShown(kit.parent(target) ?? target, { opacityProperty: true });
      if (width < limit.pixels || height < limit.pixels || !isShown) return false;
      // A loading indicator may move during the whole loading time.
      const names = /spin|load(er|ing)|skeleton|shimmer|placeholder|animate-(pulse|ping)/i;
      const around = kit.parent(target);
      const near = [target, around, around && kit.parent(around)];
      return !kit.closest(target, "[role=progressbar], [aria-busy=true], progress") && !near.some((each) => names.test((each && kit.attribute(each, "class")) ?? ""));
    }

    /** Do the frames differ in a visible property? */
    function moves(effect: KeyframeEffect): boolean {
      const frames = effect.getKeyframes();
      const properties = new Set(frames.flatMap((frame) => Object.keys(frame)));
      for (const own of ["offset", "computedOffset", "easing", "composite"]) properties.delete(own);
      return [...properties].some((property) => new Set(frames.map((frame) => String(frame[property]))).size > 1 || frames.length === 1);
    }

    function isInside(target: Element, others: Set<Element>): boolean {
      for (let each = kit.parent(target); each; each = kit.parent(each)) if (others.has(each)) return true;
      return false;
    }
  },
};
