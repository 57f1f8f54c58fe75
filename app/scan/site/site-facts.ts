/** An element of a page, as shown in findings. */
export interface SiteElement {
  /** CSS selector in the document. */
  selector: string;
  /** Opening markup. */
  html: string;
}

/** A link. Texts have single blanks, addresses no fragment. */
export interface SiteLink {
  name: string;
  address: string;
}

/** A link outside of the blocks, such as one in the text. */
export interface PageLink extends SiteLink {
  element: SiteElement;
}

/** A link with the language of its target (`hreflang`), in the text or in the head of the page. */
export interface LanguageLink {
  /** Primary language, such as `de`. */
  language: string;
  address: string;
  element: SiteElement;
}

/** A part of a page with links, such as a menu. */
export interface LinkBlock {
  /** `list`: a list outside of landmarks and of the main content. */
  kind: "navigation" | "banner" | "contentinfo" | "list";
  /** Accessible name; for a list, its id or its classes. */
  name: string;
  element: SiteElement;
  /** Visible links in document order; all links if none is visible, as in a closed menu. */
  links: SiteLink[];
}

/** A way to get help: a mail address, a telephone number, or a link to a help page. */
export interface HelpItem extends SiteLink {
  /** Place relative to the main content. */
  side: "before" | "after";
  /** Is it in the page's header or footer? */
  isOfFrame: boolean;
  element: SiteElement;
}

export interface SearchField {
  name: string;
  /** Address and parameter of the search. */
  action: string;
  element: SiteElement;
}

/** Facts of one page for the rules about whole sites; they are small. */
export interface SiteFacts {
  /** Text of the first visible heading of level 1; "" without one. */
  heading: string;
  blocks: LinkBlock[];
  /** Visible named links to addresses of the page's own host, except those in `blocks`; one for each address. */
  links: PageLink[];
  /** Language links, one for each address. */
  versions: LanguageLink[];
  /** Help outside of the main content; empty on a page without a main part, which would separate before and after. */
  help: HelpItem[];
  /** First search field; null for none. */
  search: SearchField | null;
  /** Does the page have a search, or a link to a search, a site map or a list of all pages? Hidden ones count. */
  hasFinder: boolean;
}

/** Limits for a page's facts: about 10,000 characters on usual pages, at most about 100,000. */
export const FACT_LIMITS = {
  blocks: 12,
  linksPerBlock: 60,
  links: 200,
  /** Maximum number of links outside of the blocks. */
  pageLinks: 100,
  versions: 40,
  /** Maximum number of examined elements. */
  elements: 3_000,
  helpItems: 12,
  nameCharacters: 80,
  addressCharacters: 300,
  selectorCharacters: 300,
  htmlCharacters: 500,
};

export type FactLimits = typeof FACT_LIMITS;
