import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Technique H64: a frame's name describes its content. */
export const frameTitle: PageRule = {
  id: "rampe-frame-title",
  since: "1.0.0",
  criteria: ["4.1.2"],
  level: "wcag2a",
  category: "text-alternatives",
  impact: "moderate",
  selector: "iframe, frame",
  judge(element, kit) {
    if (!kit.isExposed(element)) return undefined;
    const title = kit.name(element);
    if (title === "") return undefined;
    const plain = kit.plain(title);
    const isGeneral = /^(i ?frame|frame|untitled|untitled document|document|title|content|inhalt|unbenannt|null|undefined|about blank|unterseite)( ?\d+)?$/.test(plain);
    if (isGeneral || plain === "") return { fails: "general", data: { title: title.slice(0, 60) } };
    const isFile = /^\S+\.(html?|php|aspx?|jsp)$/i.test(title) || /^https?:\/\/\S+$/i.test(title);
    return isFile ? { fails: "file", data: { title: title.slice(0, 60) } } : "passes";
  },
};
