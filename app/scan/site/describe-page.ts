import type { DomGlobals } from "~/scan/page/dom";
import type { FactLimits, HelpItem, LanguageLink, LinkBlock, PageLink, SearchField, SiteElement, SiteFacts, SiteLink } from "./site-facts";

/*
 * This function runs inside a page, in an isolated world (see `isolated-world.ts`). It is sent as source text: it may use
 * nothing outside itself except types.
 */

/** Facts of the page for the rules about whole sites. Reads only the document, without shadow roots and frames. */
export function describePage(limits: FactLimits): SiteFacts {
  const { rampeDom: dom } = globalThis as unknown as DomGlobals;
  const main = "main, [role=main]";
  const navigation = "nav, [role=navigation]";
  const banner = "header, [role=banner]";
  const contentinfo = "footer, [role=contentinfo]";
  /** Parts of a page: a header or a footer in one of these belongs to the part, not to the page. */
  const parts = "article, aside, main, section, dialog, [role=article], [role=complementary], [role=main], [role=region], [role=dialog]";
  // Only languages of many sites that are checked here; pages in others get no such facts.
  const helpNames = /^(contact( us)?|get in touch|help( cent(er|re))?|faqs?|support|customer (service|support)|kontakt(formular)?|hilfe(bereich|seite)?|hilfe (und|&) kontakt|kundenservice|kundendienst|häufige fragen|contacter|nous contacter|aide|contacto|ayuda|contatti|aiuto)$/;
  const finderNames = /^(search|suche|suchen|recherche|rechercher|buscar|cerca|site ?map|sitemap|site index|inhaltsverzeichnis|seitenübersicht|seitenverzeichnis|alle seiten|all pages|plan du site|mapa (del sitio|web)|mappa del sito)$/;
  const searchNames = /(^|[-_\s])(search|such(e|en|begriff|feld|wort)?|query|recherche|buscar|cerca)([-_\s]|$)|^q$/i;

  const links = [...document.querySelectorAll<HTMLAnchorElement>("a[href]")].slice(0, limits.elements);
  const content = document.querySelector(main);
  let kept = 0;

  const search = searchField();
  return { heading: heading(), blocks: blocks(), links: pageLinks(), versions: versions(), help: content ? helpItems(content) : [], search, hasFinder: search !== null || leadsToAllPages() };

  function leadsToAllPages(): boolean {
    const buttons = [...document.querySelectorAll("button, [role=button], summary")].slice(0, limits.elements);
    return [...links, ...buttons].some((each) => finderNames.test(plain(nameOf(each))));
  }

  function heading(): string {
    const all = [...document.querySelectorAll("h1")].slice(0, 20);
    return shortened(nameOf(all.find(isVisible) ?? null));
  }

  /** Links belong to the innermost of: a navigation, a list outside of the content, header and footer of the page. */
  function blocks(): LinkBlock[] {
    const found = new Map<Element, { kind: LinkBlock["kind"]; links: HTMLAnchorElement[] }>();
    for (const link of links) {
      const [holder, kind] = blockOf(link) ?? [];
      if (!holder || !kind) continue;
      const block = found.get(holder);
      if (block) block.links.push(link);
      else if (found.size < limits.blocks) found.set(holder, { kind, links: [link] });
    }
    return [...found].map(([holder, { kind, links: all }]) => {
      const visible = all.filter(isVisible);
      return { kind, name: kind === "list" ? listName(holder) : shortened(labelOf(holder)), element: describe(holder), links: describeLinks(visible.length > 0 ? visible : all) };
    });
  }

  function blockOf(link: Element): [holder: Element, kind: LinkBlock["kind"]] | undefined {
    const nav = outermost(link, navigation);
    if (nav) return [nav, isInFooter(nav) ? "contentinfo" : "navigation"];
    if ((content && dom.contains(content, link)) || dom.closest(link, "article, [role=article]")) return undefined;
    const list = outermost(link, "ul, ol, menu");
    if (list && listName(list) !== "" && dom.inside(list, "a[href]").length > 2) return [list, "list"];
    const end = frameOf(link);
    return end && [end, dom.matches(end, banner) ? "banner" : "contentinfo"];
  }

  function isInFooter(element: Element): boolean {
    const end = frameOf(element);
    return end !== undefined && dom.matches(end, contentinfo);
  }

  /** Header or footer of the page around an element. */
  function frameOf(element: Element): Element | undefined {
    const end = dom.closest(element, `${banner}, ${contentinfo}`);
    return end && !dom.closest(end, parts) ? end : undefined;
  }

  function describeLinks(all: HTMLAnchorElement[]): SiteLink[] {
    const described: SiteLink[] = [];
    for (const link of all) {
      if (described.length >= limits.linksPerBlock || kept >= limits.links) break;
      const [name, address] = [shortened(nameOf(link)), addressOf(link)];
      // The beginning of an overlong address may be that of another page.
      if (name === "" || !address) continue;
      described.push({ name, address });
      kept += 1;
    }
    return described;
  }

  function pageLinks(): PageLink[] {
    const found = new Map<string, PageLink>();
    for (const link of links) {
      if (found.size >= limits.pageLinks) break;
      const address = ownAddressOf(link);
      if (!address || found.has(address) || blockOf(link) || !isVisible(link)) continue;
      const name = shortened(nameOf(link));
      if (name !== "") found.set(address, { name, address, element: describe(link) });
    }
    return [...found.values()];
  }

  function versions(): LanguageLink[] {
    const found = new Map<string, LanguageLink>();
    const all = [...document.querySelectorAll<HTMLAnchorElement | HTMLLinkElement>("link[rel~=alternate i][hreflang][href], a[hreflang][href]")];
    for (const link of all.slice(0, limits.elements)) {
      if (found.size >= limits.versions) break;
      const language = /^\s*([a-z]{2,3})(?![^\s_-])/i.exec(link.getAttribute("hreflang") ?? "")?.[1]?.toLowerCase();
      const address = webAddress(link.getAttribute("href") ?? "");
      // Links to feeds and documents may declare a language too.
      if (!language || !address || found.has(address) || /^(?!\s*(text\/html|application\/xhtml\+xml|$))/i.test(link.getAttribute("type") ?? "")) continue;
      found.set(address, { language, address, element: describe(link) });
    }
    return [...found.values()];
  }

  /** Address on the page's host, with or without `www.`; a place in another page counts as that page. */
  function ownAddressOf(link: HTMLAnchorElement): string | undefined {
    const address = webAddress(link.getAttribute("href") ?? "");
    const hostOf = (url: string) => new URL(url).host.replace(/^www\./, "");
    return address && hostOf(address) === hostOf(document.URL) ? address : undefined;
  }

  function helpItems(around: Element): HelpItem[] {
    const items: HelpItem[] = [];
    for (const link of links) {
      if (items.length >= limits.helpItems) break;
      if (dom.contains(around, link)) continue;
      const href = link.getAttribute("href") ?? "";
      const isAddress = /^(mailto|tel):/i.test(href);
      const name = nameOf(link);
      if (!isAddress && !helpNames.test(plain(name))) continue;
      const address = isAddress ? href.trim().toLowerCase().slice(0, limits.addressCharacters) : addressOf(link);
      if (!address || !isVisible(link)) continue;
      const isBefore = Node.prototype.compareDocumentPosition.call(around, link) & Node.DOCUMENT_POSITION_PRECEDING;
      items.push({ name: shortened(name), address, side: isBefore ? "before" : "after", isOfFrame: frameOf(link) !== undefined, element: describe(link) });
    }
    return items;
  }

  function searchField(): SearchField | null {
    const fields = [...document.querySelectorAll<HTMLInputElement>("input")].slice(0, 200);
    const field = fields.find((each) => /^(search|text)$/.test(each.type) && isSearch(each));
    if (!field) return null;
    const form = dom.closest(field, "form");
    const action = `${(form && webAddress(dom.attribute(form, "action") ?? "")) ?? ""} ${field.getAttribute("name") ?? ""}`;
    return { name: shortened(fieldName(field)), action: action.slice(0, limits.addressCharacters), element: describe(field) };
  }

  function isSearch(field: HTMLInputElement): boolean {
    if (field.type === "search" || dom.closest(field, "search, [role=search]")) return true;
    return ["name", "id", "placeholder", "aria-label"].some((attribute) => searchNames.test(field.getAttribute(attribute) ?? ""));
  }

  function fieldName(field: HTMLInputElement): string {
    return labelOf(field) || textOf([...(field.labels ?? [])]) || field.placeholder || field.title;
  }

  /** Accessible name, simplified: a label, or the content. */
  function nameOf(element: Element | null): string {
    if (!element) return "";
    return labelOf(element) || textOf([element]) || (dom.attribute(element, "title") ?? "").trim();
  }

  function labelOf(element: Element): string {
    const ids = (dom.attribute(element, "aria-labelledby") ?? "").split(/\s+/).filter(Boolean);
    const referenced = ids.map((id) => document.getElementById(id)).filter((each) => each !== null);
    return textOf(referenced) || (dom.attribute(element, "aria-label") ?? "").trim();
  }

  /** Text and names of pictures. */
  function textOf(elements: Element[]): string {
    const words: string[] = [];
    let left = 200;
    const add = (text: string) => {
      words.push(text.slice(0, limits.nameCharacters * 4));
      left -= 1 + text.length / limits.nameCharacters;
    };
    for (const element of elements) {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
        return node instanceof Element && node !== element && /^(script|style|template)$/.test(dom.localName(node)) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
      });
      for (let node: Node | null = walker.currentNode; node && left > 0; node = walker.nextNode()) {
        if (node instanceof Text) add(node.data);
        else if (node !== element && node instanceof Element) add(dom.attribute(node, "aria-label") ?? (dom.localName(node) === "img" ? ` ${dom.attribute(node, "alt") ?? ""} ` : ""));
      }
    }
    return words.join("").replace(/\s+/g, " ").trim();
  }

  function addressOf(link: HTMLAnchorElement): string | undefined {
    const href = link.getAttribute("href") ?? "";
    // A place within a page is no page of its own.
    return /#./.test(href) ? undefined : webAddress(href);
  }

  /** Web address; undefined for other and overlong addresses. */
  function webAddress(href: string): string | undefined {
    if (href.length > limits.addressCharacters || /^\s*#/.test(href) || !URL.canParse(href, document.baseURI)) return undefined;
    const address = new URL(href, document.baseURI);
    address.hash = "";
    return /^https?:$/.test(address.protocol) && address.href.length <= limits.addressCharacters ? address.href : undefined;
  }

  function listName(list: Element): string {
    return shortened((dom.attribute(list, "id") ?? "") || (dom.attribute(list, "class") ?? "").trim());
  }

  function describe(element: Element): SiteElement {
    return { selector: selectorOf(element).slice(0, limits.selectorCharacters), html: dom.copy(element).outerHTML.slice(0, limits.htmlCharacters) };
  }

  function selectorOf(element: Element): string {
    const steps: string[] = [];
    for (let at: Element | null = element; at; at = dom.parent(at)) {
      const [id, localName, around] = [dom.attribute(at, "id") ?? "", dom.localName(at), dom.parent(at)];
      if (id !== "" && document.querySelectorAll(`#${CSS.escape(id)}`).length === 1) return [`#${CSS.escape(id)}`, ...steps].join(" > ");
      const alike = (around ? dom.children(around) : []).filter((each) => dom.localName(each) === localName);
      steps.unshift(alike.length > 1 ? `${CSS.escape(localName)}:nth-of-type(${alike.indexOf(at) + 1})` : CSS.escape(localName));
    }
    return steps.join(" > ");
  }

  function outermost(element: Element, selector: string): Element | undefined {
    let found: Element | undefined;
    for (let at = dom.closest(element, selector); at; at = closestAround(at, selector)) found = at;
    return found;
  }

  function closestAround(element: Element, selector: string): Element | null {
    const around = dom.parent(element);
    return around && dom.closest(around, selector);
  }

  function isVisible(element: Element): boolean {
    return dom.isShown(element, { visibilityProperty: true });
  }

  function shortened(words: string): string {
    return words.slice(0, limits.nameCharacters);
  }

  function plain(words: string): string {
    return words.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{M}\p{N}&]+/gu, " ").trim();
  }
}
