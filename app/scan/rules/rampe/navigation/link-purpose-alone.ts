import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** ACT's rule aizyf1: the text of a link alone describes its target (level AAA). */
export const linkPurposeAlone: PageRule = {
  id: "rampe-link-purpose-alone",
  since: "1.0.0",
  criteria: ["2.4.9"],
  actIds: ["aizyf1"],
  level: "wcag2aaa",
  category: "name-role-value",
  impact: "moderate",
  selector: "a[href], area[href], [role=link]",
  judge(element, kit) {
    const general =
      /^(here|click here|this|this (link|page|product|article|site|document)|link|more|(read|learn|see|view|show|find out) more|more info(rmation)?|details?|continue( reading)?|go|download( now)?|hier( klicken)?|(mehr|weiter)( lesen| erfahren| infos?| informationen| anzeigen)?|weiterlesen|details|anzeigen|ansehen|herunterladen|(html|pdf|epub|word|doc|txt|zip|xml|csv|text|plain text))$/;
    if (kit.role(element) !== "link" || !kit.isExposed(element)) return undefined;
    const name = kit.plain(kit.name(element));
    if (name === "") return undefined;
    if (!general.test(name)) return "passes";
    const data = { name: kit.name(element).slice(0, 60) };
    // A page of the site may have such a name.
    const isNoun = /^(download|details?|link|html|pdf|epub|word|doc|txt|zip|xml|csv|text|plain text)$/.test(name);
    const isTopic = isNoun && /(^|\s)tag(\s|$)/i.test(kit.attribute(element, "rel") ?? "");
    return isTopic || (isNoun && kit.around(element, "nav, [role=navigation]")) ? { asks: "menu", data } : { fails: "general", data };
  },
};
