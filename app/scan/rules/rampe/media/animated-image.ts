import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 2.2.2: pictures that move for longer than five seconds. */
export const animatedImage: PageRule = {
  id: "rampe-animated-image",
  since: "1.4.0",
  criteria: ["2.2.2"],
  level: "wcag2a",
  category: "time-and-media",
  impact: "moderate",
  selector: "img, input[type=image]",
  // Hidden pictures move too, if they are hidden only from assistive technology.
  includesHidden: true,
  isAdvanced: true,
  judge(element, kit) {
    const limit = { ms: 5_000, pixels: 16 };
    const address = element instanceof HTMLImageElement ? element.currentSrc : (element as HTMLInputElement).src;
    const ms = kit.animatedImages().get(address);
    const { width, height } = element.getBoundingClientRect();
    if (ms === undefined || width < limit.pixels || height < limit.pixels || !kit.isVisible(element)) return undefined;
    // A loading indicator may move during the whole loading time.
    const about = [address.slice(0, 500), element.className, element.id, element.parentElement?.className].join(" ");
    if (/spin(ner)?\b|load(er|ing)|skeleton|placeholder/i.test(about) || element.closest("[role=progressbar], [aria-busy=true]")) return undefined;
    if (ms <= limit.ms) return "passes";
    return ms === Infinity ? { asks: "endless" } : { asks: "long", data: { seconds: Math.round(ms / 1_000) } };
  },
};
