import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F38 and F39, ACT's rule e88epe: whether a picture without a name tells something, a person must say. */
export const decorativeImage: PageRule = {
  id: "rampe-decorative-image",
  criteria: ["1.1.1"],
  level: "wcag2a",
  category: "text-alternatives",
  impact: "serious",
  selector: "img, svg, canvas",
  includesHidden: true,
  judge(element, kit) {
    if (element.parentElement?.closest("svg") || !kit.isVisible(element)) return undefined;
    const isMarked = element.getAttribute("alt") === "" || /^(none|presentation)$/.test(element.getAttribute("role") ?? "");
    const title = element.getAttribute("title")?.trim() ?? "";
    if (element.localName === "img" && isMarked && title !== "") return { fails: "title", data: { title: title.slice(0, 100) } };
    if (kit.isExposed(element) && !isMarked) return undefined;
    const { width, height } = element.getBoundingClientRect();
    if (width < 48 || height < 48) return undefined;
    // Beside words of the same link, button or figure it usually repeats them.
    const holder = kit.around(element, "a, button, figure, [role=link], [role=button], [aria-hidden=true] a");
    if (holder && kit.visibleText(holder) !== "") return "passes";
    const isBackdrop = width * height > innerWidth * innerHeight * 0.8;
    return isBackdrop ? "passes" : { asks: "decorative" };
  },
};
