import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** ACT's rule fd3a94: links with one name and one context that lead to different pages. */
export const sameLinks: PageRule = {
  id: "rampe-same-links",
  criteria: ["2.4.4"],
  level: "wcag2a",
  category: "name-role-value",
  impact: "moderate",
  selector: "a[href], [role=link]",
  judge(element, kit) {
    const groups = kit.once("links by name and context", () => {
      const found = new Map<string, Element[]>();
      const owners = new Map<Element, string>();
      for (const link of kit.all("a[href], [role=link]")) {
        if (kit.role(link) !== "link" || !kit.isExposed(link)) continue;
        const name = kit.plain(kit.name(link));
        if (name === "") continue;
        const key = `${name}|${contextOf(link)}`;
        found.set(key, [...(found.get(key) ?? []), link]);
        owners.set(link, key);
      }
      return { found, owners };
    });
    const alike = groups.found.get(groups.owners.get(element) ?? "") ?? [];
    if (alike[0] !== element || alike.length < 2) return undefined;
    const targets = new Set(alike.map(targetOf));
    return targets.size > 1 ? { asks: "targets", data: { name: kit.name(element).slice(0, 60), count: targets.size } } : "passes";

    function contextOf(link: Element): string {
      const holder = kit.around(link, "p, li, td, dd, [role=listitem], [role=cell]");
      return holder ? kit.plain(kit.visibleText(holder)).slice(0, 300) : "";
    }

    function targetOf(link: Element): string {
      const address = link.getAttribute("href") ?? link.getAttribute("onclick") ?? "";
      try {
        const url = new URL(address, document.baseURI);
        return `${url.origin}${url.pathname.replace(/\/(index\.\w+)?$/, "")}${url.search}`;
      } catch {
        return address;
      }
    }
  },
};
