import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F25: a tool's default title, or a title that fits every page. */
export const pageTitle: PageRule = {
  id: "rampe-page-title",
  since: "1.0.0",
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
    if (empty.has(plain) || empty.has(plain.replace(/ ?\d+$/, ""))) return /^(home|startseite|welcome|willkommen|test|testseite|lorem ipsum)$/.test(plain) ? { asks: "general", data } : { fails: "general", data };
    if (/^[^\s/\\]+\.(html?|php\d?|aspx?|jsp|docx?|pdf|xhtml|cgi)$/i.test(title)) return { fails: "file", data };
    if (/^(https?:\/\/|www\.)\S+$/i.test(title)) return { asks: "address", data };
    if (document.querySelectorAll("head > title").length > 1) return { asks: "several", data };
    if (!isRelated()) return { asks: "unrelated", data };
    return isPartOfHeading() ? { asks: "heading", data } : "passes";

    /** Does the main heading contain more than the title, as on search results that are titled with the name of the website? */
    function isPartOfHeading(): boolean {
      const [heading, second] = kit.all("h1").filter((each) => kit.isVisible(each));
      if (!heading || second) return false;
      const [said, words] = [kit.plain(kit.visibleText(heading)), plain.split(" ")];
      const fewestMore = 3;
      const extra = said.split(" ").length - words.length;
      return words.length > 1 && extra >= fewestMore && ` ${said} `.includes(` ${plain} `) && !said.startsWith(plain);
    }

    /** Does the text of the page contain a word of the title, or a longer or shorter form of one? */
    function isRelated(): boolean {
      const shortest = 4;
      const wordsOf = (text: string) => kit.plain(text).split(" ").filter((word) => word.length >= shortest);
      const [own, words] = [wordsOf(title), wordsOf(kit.visibleText(document.body))];
      if (own.length < 2 || words.length < 8) return true;
      return words.some((word) => own.some((each) => each.startsWith(word) || word.startsWith(each)));
    }
  },
};
