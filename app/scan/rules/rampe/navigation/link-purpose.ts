import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F63, ACT's rule 5effbb: neither a link nor its context describes its target. */
export const linkPurpose: PageRule = {
  id: "rampe-link-purpose",
  since: "1.0.0",
  criteria: ["2.4.4"],
  actIds: ["5effbb"],
  level: "wcag2a",
  category: "name-role-value",
  impact: "serious",
  selector: "a[href], area[href], [role=link], svg a",
  judge(element, kit) {
    const general = new Set(
      (
        "here,click here,click,click this,this,this link,this page,link,more,read more,learn more,see more,more info,more information,find out more,view more,show more,details,view details,view,read," +
        "continue,continue reading,read on,go,go here,download,download now,full story,read article,read this,see all,view all,page,website,site,article,tap here," +
        "hier,hier klicken,klick,klicken,klicken sie hier,klick hier,mehr,weiter,weiterlesen,mehr lesen,mehr erfahren,mehr infos,mehr info,mehr informationen,weitere informationen,weitere infos,details,mehr details," +
        "anzeigen,ansehen,mehr anzeigen,alle anzeigen,lesen,artikel lesen,jetzt lesen,zum artikel,zur seite,dieser link,diese seite,los,jetzt herunterladen,herunterladen,zum download,website,webseite,seite," +
        "html,pdf,epub,plain text,text,txt,doc,docx,word,xls,xlsx,excel,csv,zip,xml,odt,mp3,mp4"
      ).split(","),
    );
    // axe-core knows no role of SVG links with the older `xlink:href`.
    const isDrawn = element.matches("svg a") && !element.hasAttribute("role") && element.hasAttribute("xlink:href");
    if ((kit.role(element) !== "link" && !isDrawn) || !kit.isExposed(element)) return undefined;
    const fullName = nameOf(element);
    const name = kit.plain(fullName);
    if (name === "" && !isSign()) return undefined;
    if (name !== "" && !general.has(name)) return "passes";
    const title = kit.plain(element.getAttribute("title") ?? "");
    const described = kit.referenced(element, "aria-describedby").some((each) => (each.textContent ?? "").trim() !== "") || (title !== "" && title !== name);
    if (described || hasWordsAround() || isRepeatedInWords()) return "passes";
    // Icon fonts use characters without a meaning, which the report cannot show.
    const data = { name: fullName.slice(0, 60).replace(/\p{Co}/gu, (sign) => `U+${sign.codePointAt(0)?.toString(16).toUpperCase()}`) };
    if (name === "") return kit.isFirstOfKind(element, "rampe-link-purpose", fullName.replace(/\p{Co}/gu, "icon")) ? { asks: "sign", data } : undefined;
    if (isInMenu()) return { asks: "menu", data };
    return headingBefore() ? { asks: "heading", data } : { fails: "general", data };

    function nameOf(link: Element): string {
      return kit.name(link) || (link instanceof SVGElement ? (link.textContent ?? "").trim() : "");
    }

    /** Only signs, such as ">"? A link beside a heading's words leads to the heading. Screen readers speak an emoji by its name. */
    function isSign(): boolean {
      return fullName.trim() !== "" && !/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(fullName) && !kit.around(element, "h1, h2, h3, h4, h5, h6, [role=heading]");
    }

    /** A noun in a navigation or a list of links may be the name of a page: "Download". File types alone in a list have no subject. */
    function isInMenu(): boolean {
      const isNoun = /^(download|details|article|page|website|site|link|text|seite|webseite)$/.test(name);
      const isKind = /^(html|pdf|epub|plain text|txt|docx?|word|xlsx?|excel|csv|zip|xml|odt|mp[34])$/.test(name);
      if ((isNoun || isKind) && kit.around(element, "nav, [role=navigation]")) return true;
      if (!isNoun) return false;
      const list = kit.around(element, "ul, ol, menu, [role=list]");
      const items = list ? kit.children(list) : [];
      return items.length > 1 && items.every((item) => kit.inside(item, "a").length === 1 && kit.visibleText(item) === kit.visibleText(kit.first(item, "a") ?? item));
    }

    /** Does a link beside it, in a block with few links, describe the same address (technique H2)? */
    function isRepeatedInWords(): boolean {
      const [address, mostLinks] = [addressOf(element), 20];
      let block = address === "" ? null : kit.around(element, "article, li, section, div");
      for (let level = 0; block && level < 4; level += 1) {
        const links = kit.inside(block, "a");
        if (links.length > mostLinks) return false;
        if (links.some((link) => addressOf(link) === address && kit.isExposed(link) && isTelling(nameOf(link)))) return true;
        block = kit.around(block, "article, li, section, div");
      }
      return false;
    }

    function isTelling(words: string): boolean {
      return /\p{L}{2}/u.test(words) && !general.has(kit.plain(words));
    }

    /** Address of the link's page; "" if a script decides. */
    function addressOf(link: Element): string {
      const address = link.getAttribute("href") ?? link.getAttribute("xlink:href") ?? "";
      if (/^(#|javascript:|$)/i.test(address)) return "";
      try {
        return new URL(address, document.baseURI).href.replace(/#.*/, "");
      } catch {
        return address.replace(/#.*/, "");
      }
    }

    /** Does its sentence, paragraph, list item, table cell with its headers, or named part contain further words? */
    function hasWordsAround(): boolean {
      const [wider, named] = ["li, td, th, dd, [role=listitem], [role=cell], [role=gridcell]", "[aria-labelledby], [aria-label]"];
      const texts = `p, dt, figure, summary, label, ${wider}`;
      for (let at = kit.around(element, `${texts}, ${named}`); at; at = kit.around(at, `${wider}, ${named}`)) {
        if (kit.matches(at, texts) && (tellsMore(kit.visibleText(at)) || tellsMore(wordsBeforeList(at), 1))) return true;
        if (!isNameOfMany(at) && tellsMore(kit.name(at))) return true;
        if (kit.matches(at, "td") && headersOf(at as HTMLTableCellElement).some((cell) => kit.visibleText(cell) !== "")) return true;
      }
      return hasSentence();
    }

    /** Is there text beside it, also outside of the inline elements around it? */
    function hasSentence(): boolean {
      const isInline = (each: Element) => kit.style(each).display === "inline";
      let part: Element = element;
      for (let holder = kit.parent(part); holder; holder = kit.parent(holder)) {
        if (kit.nodes(holder).some((node) => node instanceof Text && /\p{L}{2}/u.test(node.data))) return true;
        const isWords = (each: Element) => each !== part && !kit.matches(each, "a, button, br, img") && kit.first(each, "a, button") === null && isInline(each) && tellsMore(kit.visibleText(each));
        if (kit.children(holder).some(isWords)) return true;
        if (!isInline(holder)) return false;
        part = holder;
      }
      return false;
    }

    /** Does the name of a part describe the page or all its links, not this link? Browsers ignore names of elements without a role. */
    function isNameOfMany(part: Element): boolean {
      const role = kit.role(part);
      return role === null || /^(main|navigation|banner|contentinfo|complementary|search|form|document|application)$/.test(role) || kit.first(part, "main, [role=main], h1") !== null;
    }

    /** Words of a list item before the list around the link. */
    function wordsBeforeList(item: Element): string {
      const list = kit.children(item).find((child) => kit.matches(child, "ul, ol") && kit.contains(child, element));
      return list ? kit.textBeforeList(item, list) : "";
    }

    function tellsMore(words: string, fewest = 2): boolean {
      const rest = kit.plain(words).split(" ").filter((word) => !general.has(word) && !name.split(" ").includes(word));
      return rest.filter((word) => /\p{L}{2}/u.test(word)).length >= fewest;
    }

    /** Headers of a cell's column and row; a cell beside it is none. */
    function headersOf(cell: HTMLTableCellElement): Element[] {
      const row = cell.parentElement instanceof HTMLTableRowElement ? cell.parentElement : null;
      const table = cell.closest("table");
      const rowHeaders = row ? [...row.cells].filter((each) => each.localName === "th") : [];
      // A header over several columns names the cells below only if no cell beside the link does.
      const hasSameKind = row !== null && [...row.cells].every((each) => general.has(kit.plain(kit.visibleText(each))));
      const above = table ? [...table.rows].slice(0, row?.rowIndex).flatMap((each) => [...each.cells].filter((head) => head.localName === "th" && (head.colSpan === 1 || hasSameKind) && isAbove(head, cell))) : [];
      return [...kit.referenced(cell, "headers"), ...rowHeaders, ...above.filter((head) => tellsMore(kit.visibleText(head), 1))];
    }

    function isAbove(head: HTMLTableCellElement, cell: HTMLTableCellElement): boolean {
      const column = columnOf(cell) - columnOf(head);
      return column >= 0 && column < head.colSpan;
    }

    function columnOf(cell: HTMLTableCellElement): number {
      let column = 0;
      for (let before = cell.previousElementSibling; before instanceof HTMLTableCellElement; before = before.previousElementSibling) column += before.colSpan;
      return column;
    }

    function headingBefore(): boolean {
      const headings = kit.once("exposed headings", () => kit.all("h1, h2, h3, h4, h5, h6, [role=heading]").filter((each) => kit.isExposed(each)));
      return headings.some((heading) => (heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0);
    }
  },
};
