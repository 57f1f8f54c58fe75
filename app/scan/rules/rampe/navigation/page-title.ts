import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F25: a title that a tool has put there, or that every page could have. */
export const pageTitle: PageRule = {
  id: "rampe-page-title",
  criteria: ["2.4.2"],
  level: "wcag2a",
  category: "text-alternatives",
  impact: "serious",
  selector: "html",
  judge(_element, kit) {
    const inner = (globalThis as { parent?: unknown }).parent !== globalThis;
    const title = document.title.trim().replace(/\s+/g, " ");
    if (title === "" || inner) return undefined;
    const plain = kit.plain(title);
    const empty = new Set(
      (
        "untitled,untitled document,untitled page,new page,new page 1,new document,document,page,page title,title,title here,insert title here,enter title,enter the title of your html document here," +
        "no title,test,website,web page,webpage,home,index,default,html,html5,lorem ipsum,my page,my website,react app,vite app,vite react,vite react ts,vue app,angular," +
        "unbenannt,unbenanntes dokument,ohne titel,neue seite,neue seite 1,seite,titel,seitentitel,dokument,startseite,testseite,willkommen,welcome"
      ).split(","),
    );
    const data = { title: title.slice(0, 80) };
    if (plain === "") return { fails: "characters", data };
    if (empty.has(plain) || empty.has(plain.replace(/ ?\d+$/, ""))) return /^(home|startseite|welcome|willkommen|test|testseite)$/.test(plain) ? { asks: "general", data } : { fails: "general", data };
    if (/^[^\s/\\]+\.(html?|php\d?|aspx?|jsp|docx?|pdf|xhtml|cgi)$/i.test(title)) return { fails: "file", data };
    if (/^(https?:\/\/|www\.)\S+$/i.test(title)) return { asks: "address", data };
    return "passes";
  },
};
