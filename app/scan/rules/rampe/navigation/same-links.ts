import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** ACT's rule fd3a94: links with one name and one context that lead to different pages. */
export const sameLinks: PageRule = {
  id: "rampe-same-links",
  since: "1.0.0",
  criteria: ["2.4.4"],
  actIds: ["fd3a94"],
  level: "wcag2a",
  category: "name-role-value",
  impact: "moderate",
  selector: "a[href], [role=link]",
  judge(element, kit) {
    const block = "p, li, td, th, dd, [role=listitem], [role=cell]";
    const part = ":is(section, article, nav, aside, form, main, header, footer, ul, ol, [role]):is([aria-label], [aria-labelledby])";
    const heading = "h1, h2, h3, h4, h5, h6, [role=heading]";
    const groups = kit.once("links by name and context", () => {
      const found = new Map<string, Element[]>();
      const owners = new Map<Element, string>();
      for (const link of kit.all("a[href], [role=link]")) {
        if (kit.role(link) !== "link" || !kit.isExposed(link)) continue;
        const name = kit.plain(kit.name(link));
        // An action has no address.
        if (name === "" || /^javascript:/i.test(link.getAttribute("href") ?? "")) continue;
        const key = `${name}|${kit.plain(link.getAttribute("title") ?? "")}|${contextOf(link)}`;
        found.set(key, [...(found.get(key) ?? []), link]);
        owners.set(link, key);
      }
      return { found, owners };
    });
    const alike = groups.found.get(groups.owners.get(element) ?? "") ?? [];
    if (alike[0] !== element || alike.length < 2) return undefined;
    const targets = new Set(alike.map(targetOf));
    return targets.size > 1 ? { asks: "targets", data: { name: kit.name(element).slice(0, 60), count: targets.size } } : "passes";

    /** Context of a link: techniques H77 to H81, and names of the parts of the page around it. */
    function contextOf(link: Element): string {
      const closest = kit.around(link, block);
      return kit.plain(closest ? kit.visibleText(closest) : "").slice(0, 300) + wordsAround(link);
    }

    /** Words around an element, cached because many links share them. */
    function wordsAround(inner: Element): string {
      const known = kit.once("words around links", () => new Map<Element, string>());
      const words = known.get(inner) ?? readWordsAround(inner);
      known.set(inner, words);
      return words;
    }

    function readWordsAround(inner: Element): string {
      const at = kit.around(inner, `${block}, ${part}, ${heading}`);
      if (!at) return "";
      const words = kit.matches(at, part) ? [kit.name(at)] : [];
      if (at instanceof HTMLTableCellElement) words.push(...headersOf(at).map((header) => kit.visibleText(header)));
      // A heading that consists of the link adds nothing to its name.
      if (kit.matches(at, heading) && kit.visibleText(at) !== kit.visibleText(inner)) words.push(kit.visibleText(at));
      if (kit.localName(at) === "li") words.push(wordsOfItem(at, inner.closest("ul, ol")));
      const own = kit.plain(words.join(" ")).slice(0, 300);
      return own === "" ? wordsAround(at) : `|${own}${wordsAround(at)}`;
    }

    /** Words of a list item, up to an inner list. */
    function wordsOfItem(item: Element, list: Element | null): string {
      return list && kit.contains(item, list) ? kit.textBeforeList(item, list) : kit.visibleText(item);
    }

    /** Headers of a cell's row and column. */
    function headersOf(cell: HTMLTableCellElement): Element[] {
      const row = cell.closest("tr");
      const inRow = row ? [...row.cells].filter(({ localName }) => localName === "th") : [];
      const inColumn = headerRowsOf(cell.closest("table")).flatMap((each) => [...each.cells].filter(({ localName }, index) => localName === "th" && index === cell.cellIndex));
      return [...kit.referenced(cell, "headers"), ...inRow, ...inColumn];
    }

    /** Rows with header cells only, apart from the corner. */
    function headerRowsOf(table: HTMLTableElement | null): HTMLTableRowElement[] {
      const known = kit.once("rows of headers", () => new Map<HTMLTableElement, HTMLTableRowElement[]>());
      if (!table) return [];
      const rows = known.get(table) ?? [...table.rows].filter(({ cells }) => cells.length > 1 && [...cells].slice(1).every(({ localName }) => localName === "th"));
      known.set(table, rows);
      return rows;
    }

    /** Normalised address of the link's page. */
    function targetOf(link: Element): string {
      const own = kit.once("addresses of this page", ownAddresses);
      const address = link.getAttribute("href") ?? link.getAttribute("onclick") ?? "";
      const page = pageOf(address);
      if (!page) return address;
      const target = own.pages.has(page.whole) ? (pageOf(location.href) ?? page) : page;
      return `${own.hosts.has(target.host) ? "" : target.host}${target.path}`;
    }

    /** Addresses that the page declares as its own; a copy of it has another address. */
    function ownAddresses(): { pages: Set<string>; hosts: Set<string> } {
      const given = [...document.querySelectorAll("link[rel=canonical][href], meta[property='og:url'][content]")].map((each) => pageOf(each.getAttribute("href") ?? each.getAttribute("content") ?? ""));
      const known = [pageOf(location.href), ...given].filter((page) => page !== undefined);
      return { pages: new Set(known.map(({ whole }) => whole)), hosts: new Set(known.map(({ host }) => host)) };
    }

    /** Parts of an address; undefined for other texts. */
    function pageOf(address: string): { whole: string; host: string; path: string } | undefined {
      const tracking = /^(utm_.*|mc_.*|gclid|fbclid|ref|source|campaign)$/i;
      try {
        const url = new URL(address, document.baseURI);
        const search = new URLSearchParams([...url.searchParams].filter(([key]) => !tracking.test(key)));
        const host = /^https?:$/.test(url.protocol) ? url.host.replace(/^www\./, "") : url.protocol;
        const path = `${url.pathname.replace(/\/((index|default)\.\w+)?$/, "")}?${search.toString()}`;
        return { whole: host + path, host, path };
      } catch {
        return undefined;
      }
    }
  },
};
