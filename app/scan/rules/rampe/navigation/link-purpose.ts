import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F63, ACT's rule 5effbb: where a link leads is told neither by itself nor by what surrounds it. */
export const linkPurpose: PageRule = {
  id: "rampe-link-purpose",
  criteria: ["2.4.4"],
  level: "wcag2a",
  category: "name-role-value",
  impact: "serious",
  selector: "a[href], area[href], [role=link], svg a",
  judge(element, kit) {
    const general = new Set(
      (
        "here,click here,click,click this,this,this link,this page,link,more,read more,learn more,see more,more info,more information,find out more,view more,show more,details,view details,view,read," +
        "continue,continue reading,read on,go,go here,start,info,download,download now,full story,read article,read this,see all,view all,page,website,site,article,tap here," +
        "hier,hier klicken,klick,klicken,klicken sie hier,klick hier,mehr,weiter,weiterlesen,mehr lesen,mehr erfahren,mehr infos,mehr info,mehr informationen,weitere informationen,weitere infos,details,mehr details," +
        "anzeigen,ansehen,mehr anzeigen,alle anzeigen,lesen,artikel lesen,jetzt lesen,zum artikel,zur seite,dieser link,diese seite,los,jetzt herunterladen,herunterladen,zum download,website,webseite,seite"
      ).split(","),
    );
    if (kit.role(element) !== "link" || !kit.isExposed(element)) return undefined;
    const name = kit.plain(kit.name(element));
    if (name === "") return undefined;
    if (!general.has(name)) return "passes";
    const described = kit.referenced(element, "aria-describedby").some((each) => (each.textContent ?? "").trim() !== "") || (element.title !== "" && kit.plain(element.title) !== name);
    if (described) return "passes";
    const data = { name: kit.name(element).slice(0, 60) };
    if (hasWordsAround()) return "passes";
    return headingBefore() ? { asks: "heading", data } : { fails: "general", data };

    /** Its sentence, paragraph, list item, table cell with its headers, or labelled part. */
    function hasWordsAround(): boolean {
      for (let at = kit.around(element, "p, li, td, th, dd, dt, figure, summary, label, [role=listitem], [role=cell], [role=gridcell], [aria-labelledby], [aria-label]"); at; at = kit.around(at, "li, td, th, dd, [role=listitem], [role=cell], [role=gridcell], [aria-labelledby], [aria-label]")) {
        if (tellsMore(kit.visibleText(at)) || tellsMore(kit.name(at))) return true;
        if (at.matches("td") && headersOf(at as HTMLTableCellElement).some((cell) => kit.visibleText(cell) !== "")) return true;
      }
      const holder = element.parentElement;
      return holder !== null && [...holder.childNodes].some((node) => node instanceof Text && /\p{L}{2}/u.test(node.data));
    }

    function tellsMore(words: string): boolean {
      const rest = kit.plain(words).split(" ").filter((word) => !general.has(word) && !name.split(" ").includes(word));
      return rest.filter((word) => /\p{L}{2}/u.test(word)).length > 1;
    }

    /** Of its column and row; a cell beside it is none. */
    function headersOf(cell: HTMLTableCellElement): Element[] {
      const row = cell.parentElement instanceof HTMLTableRowElement ? cell.parentElement : null;
      const table = cell.closest("table");
      const rowHeaders = row ? [...row.cells].filter((each) => each.localName === "th") : [];
      const top = table ? [...table.rows].flatMap((each) => [...each.cells].filter((head) => head.localName === "th" && head.cellIndex === cell.cellIndex && head.colSpan === 1)) : [];
      return [...kit.referenced(cell, "headers"), ...rowHeaders, ...top.filter((head) => tellsMore(`${kit.visibleText(head)} ${kit.visibleText(head)}x`))];
    }

    function headingBefore(): boolean {
      const headings = kit.once("exposed headings", () => kit.all("h1, h2, h3, h4, h5, h6, [role=heading]").filter((each) => kit.isExposed(each)));
      return headings.some((heading) => (heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0);
    }
  },
};
