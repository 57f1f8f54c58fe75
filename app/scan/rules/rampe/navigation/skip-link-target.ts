import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique G1: a link past repeated parts that leads nowhere. */
export const skipLinkTarget: PageRule = {
  id: "rampe-skip-link-target",
  criteria: ["2.4.1"],
  level: "wcag2a",
  category: "keyboard",
  impact: "serious",
  selector: "a[href^='#']",
  judge(element, kit) {
    const id = decoded((element.getAttribute("href") ?? "").slice(1));
    const name = kit.plain(kit.name(element));
    const skips = /\b(skip|jump)\b|\b(zum|zur|direkt zu[mr]?) (haupt)?(inhalt|navigation|suche|menü)|überspringen|springen/;
    if (!skips.test(name) || !kit.isExposed(element)) return undefined;
    if (/^(|top|!.*|\/.*)$/i.test(id)) return undefined;
    const target = document.getElementById(id) ?? document.getElementsByName(id)[0];
    if (!target) return { fails: "nowhere", data: { id: id.slice(0, 60) } };
    return kit.isExposed(target) || kit.isVisible(target) ? "passes" : { asks: "hidden", data: { id: id.slice(0, 60) } };

    function decoded(text: string): string {
      try {
        return decodeURIComponent(text);
      } catch {
        return text;
      }
    }
  },
};
