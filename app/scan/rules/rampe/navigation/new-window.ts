import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 3.2.5, one question for a page: links open another window, and neither their name nor their description announces it. */
export const newWindow: PageRule = {
  id: "rampe-new-window",
  since: "1.6.0",
  criteria: ["3.2.5"],
  level: "wcag2aaa",
  category: "name-role-value",
  impact: "minor",
  selector: "a[href][target], area[href][target]",
  judge(element, kit) {
    const { first, silent } = kit.once("links to new windows", () => {
      const links = kit.all("a[href][target], area[href][target]").filter((each) => opensWindow(each as HTMLAnchorElement) && kit.isExposed(each));
      const silent = links.filter((each) => !saysSo(each));
      return { first: silent[0], silent: silent.length };
    });
    if (!opensWindow(element as HTMLAnchorElement)) return undefined;
    if (saysSo(element)) return "passes";
    return element === first ? { asks: "silent", data: { count: silent, name: kit.name(element).slice(0, 60) } } : undefined;

    function opensWindow({ target, protocol }: HTMLAnchorElement): boolean {
      return /^https?:$/.test(protocol) && target.trim() !== "" && !/^_(self|parent|top)$/i.test(target.trim()) && !kit.all("iframe[name], frame[name]").some((frame) => frame.getAttribute("name") === target);
    }

    function saysSo(link: Element): boolean {
      const described = kit.referenced(link, "aria-describedby").map(({ textContent }) => textContent ?? "");
      const words = [kit.name(link), link.getAttribute("title") ?? "", link.getAttribute("aria-description") ?? "", ...described].join(" ");
      return /\b(window|tab|popup|pop-up|external|extern\p{L}*|fenster|registerkarte)\b/iu.test(words);
    }
  },
};
