import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F3: a background picture has no text alternative. A person must decide whether it conveys information. */
export const backgroundImage: PageRule = {
  id: "rampe-background-image",
  since: "1.0.0",
  criteria: ["1.1.1"],
  level: "wcag2a",
  category: "text-alternatives",
  impact: "serious",
  selector: "body *",
  judge(element, kit) {
    const { backgroundImage, backgroundRepeat, backgroundSize } = kit.style(element);
    if (!/^url\(/.test(backgroundImage) || !kit.isVisible(element)) return undefined;
    if (kit.matches(element, "input, select, textarea, button, a, summary, label, video, iframe")) return undefined;
    const mostShown = 5;
    if (kit.first(element, "img, svg, video, canvas, iframe, input, button, a")) return undefined;
    // A picture below words that repeats or fills its area is a background.
    if (kit.visibleText(element) !== "" && (backgroundRepeat !== "no-repeat" || /cover/.test(backgroundSize))) return undefined;
    if (kit.around(element, "a, button, label, [role=button], [role=link]")) return undefined;
    const { width, height } = kit.box(element);
    const repeats = /^(repeat|repeat-x|repeat-y)$/.test(backgroundRepeat) && width * height > 10_000;
    if (width < 8 || height < 8 || repeats) return undefined;
    if (kit.matches(element, "[aria-label], [aria-labelledby], [role=img]")) return "passes";
    const seen = kit.once("background images", () => new Map<string, Element>());
    const first = seen.get(backgroundImage) ?? (seen.size < mostShown ? element : null);
    if (first) seen.set(backgroundImage, first);
    return first === element ? { asks: "information" } : undefined;
  },
};
