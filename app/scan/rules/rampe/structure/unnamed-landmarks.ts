import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique ARIA13: names distinguish several landmarks of one kind. */
export const unnamedLandmarks: PageRule = {
  id: "rampe-unnamed-landmarks",
  since: "1.0.0",
  criteria: ["1.3.1"],
  level: "wcag2a",
  category: "structure",
  impact: "minor",
  selector: "nav, aside, [role=navigation], [role=complementary], [role=search]",
  judge(element, kit) {
    const role = kit.role(element);
    if (!role || !kit.isExposed(element)) return undefined;
    const alike = kit.all("nav, aside, [role=navigation], [role=complementary], [role=search]").filter((each) => kit.role(each) === role && kit.isExposed(each));
    if (alike.length < 2) return undefined;
    const name = kit.plain(kit.name(element));
    const [first] = alike.filter((each) => kit.plain(kit.name(each)) === name);
    return first === element && alike.filter((each) => kit.plain(kit.name(each)) === name).length > 1
      ? { asks: name === "" ? "unnamed" : "same", data: { role, name } }
      : "passes";
  },
};
