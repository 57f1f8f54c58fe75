/** An element of a page, as findings show it. */
export interface SiteElement {
  /** CSS selector in the document. */
  selector: string;
  /** Its opening markup. */
  html: string;
}

/** Texts have single blanks, addresses no fragment. */
export interface SiteLink {
  name: string;
  address: string;
}

/** A link outside of the blocks, such as one in the text. */
export interface PageLink extends SiteLink {
  element: SiteElement;
}

/** A link that says in which language its target is (`hreflang`), in the text or in the head of the page. */
export interface LanguageLink {
  /** Primary language, such as `de`. */
  language: string;
  address: string;
  element: SiteElement;
}

/** A part of a page with links, such as a menu. */
export interface LinkBlock {
  /** `list`: one outside of landmarks and of the main content. */
  kind: "navigation" | "banner" | "contentinfo" | "list";
  /** Accessible name; of a list, its id or its classes. */
  name: string;
  element: SiteElement;
  /** Visible ones in document order; all, if none is visible, as in a closed menu. */
  links: SiteLink[];
}

/** A way to get help: an address of mail or telephone, or a link to such a page. */
export interface HelpItem extends SiteLink {
  /** Before or after the main content. */
  side: "before" | "after";
  /** In the page's header or footer. */
  isOfFrame: boolean;
  element: SiteElement;
}

export interface SearchField {
  name: string;
  /** Address and parameter that it searches with. */
  action: string;
  element: SiteElement;
}

/** What the rules about whole sites compare: small facts of one page. */
export interface SiteFacts {
  /** Text of the first visible heading of level 1; "" without one. */
  heading: string;
  blocks: LinkBlock[];
  /** Visible ones with a name to addresses of the page's own host, besides those in `blocks`; one for each address. */
  links: PageLink[];
  /** One for each address. */
  versions: LanguageLink[];
  /** Outside of the main content; empty on a page without a main part, where nothing tells what is before it. */
  help: HelpItem[];
  /** The first one; null for none. */
  search: SearchField | null;
  /** A search, or a link to a search, a site map or a list of all pages; hidden ones too. */
  hasFinder: boolean;
}

/** Limits for what a page may produce: some 10,000 characters on usual pages, at most about 100,000. */
export const FACT_LIMITS = {
  blocks: 12,
  linksPerBlock: 60,
  links: 200,
  /** Links outside of the blocks. */
  pageLinks: 100,
  versions: 40,
  /** Elements that are looked at. */
  elements: 3_000,
  helpItems: 12,
  nameCharacters: 80,
  addressCharacters: 300,
  selectorCharacters: 300,
  htmlCharacters: 500,
};

export type FactLimits = typeof FACT_LIMITS;
