import type { Axe, VirtualNode } from "~/scan/rules/axe-internals";

/**
 * What rules of our own may use inside a page: facts about elements, most of them remembered for the run. Texts have single
 * blanks and none around them.
 */
export interface Kit {
  /** All matching elements of the document and its open shadow roots, in tree order. */
  all(selector: string): HTMLElement[];
  /** Explicit role, or the one of its markup; null for none. */
  role(element: Element): string | null;
  /** Accessible name. */
  name(element: Element): string;
  /** Drawn on screen, also after scrolling. */
  isVisible(element: Element): boolean;
  /** Known to assistive technology. */
  isExposed(element: Element): boolean;
  isFocusable(element: Element): boolean;
  isInTabOrder(element: Element): boolean;
  /** Text that is drawn, of the element and all in it; that of fields and pictures is not. */
  visibleText(element: Element): string;
  style(element: Element): CSSStyleDeclaration;
  /** Elements named by an attribute with ids. */
  referenced(element: Element, attribute: string): Element[];
  /** Closest element around it, in the composed tree, that matches; not itself. */
  around(element: Element, selector: string): HTMLElement | null;
  /** Rules of readable style sheets with the media query around each; style sheets of other origins cannot be read. */
  styleRules(): { selector: string; style: CSSStyleDeclaration; media: string }[];
  /** False for selectors that cannot be asked, such as those of pseudo-elements. */
  matches(element: Element, selector: string): boolean;
  /** Text in one form for comparisons: lower case, single blanks, no punctuation. */
  plain(text: string): string;
  /** A fact about the whole document, made once in a run. */
  once<Fact>(key: string, make: () => Fact): Fact;
}

interface KitGlobals {
  axe: Axe;
}

/** Makes the kit. Runs inside a page; see `PageRule`. */
export function makeKit(): Kit {
  const { axe } = globalThis as unknown as KitGlobals;
  const { aria, dom, text } = axe.commons;
  const mostStyleRules = 20_000;
  // axe creates new virtual nodes for every run, so facts end with the run.
  let facts = new Map<string, unknown>();
  let factsOf: VirtualNode | undefined;
  const texts = new WeakMap<VirtualNode, string>();

  const kit: Kit = {
    all(selector) {
      const [tree] = axe._tree ?? [];
      if (!tree) return [];
      return axe.utils.querySelectorAll(tree, selector).map(({ actualNode }) => actualNode as HTMLElement);
    },
    role: (element) => {
      const node = nodeOf(element);
      return node ? aria.getRole(node) : null;
    },
    name: (element) => {
      const node = nodeOf(element);
      return node ? text.sanitize(text.accessibleTextVirtual(node)) : "";
    },
    isVisible: (element) => dom.isVisibleOnScreen(element),
    isExposed: (element) => dom.isVisibleToScreenReaders(element),
    isFocusable: (element) => {
      const node = nodeOf(element);
      return node ? dom.isFocusable(node) : false;
    },
    isInTabOrder: (element) => {
      const node = nodeOf(element);
      return node ? dom.isInTabOrder(node) : false;
    },
    visibleText(element) {
      const node = nodeOf(element);
      const known = node && texts.get(node);
      if (!node || known !== undefined) return known ?? "";
      const parts: string[] = [];
      collectText(node, parts);
      const words = text.sanitize(parts.join(""));
      texts.set(node, words);
      return words;
    },
    style: (element) => getComputedStyle(element),
    referenced(element, attribute) {
      const root = element.getRootNode() as Document | ShadowRoot;
      const ids = (element.getAttribute(attribute) ?? "").split(/\s+/).filter(Boolean);
      return ids.map((id) => root.getElementById(id)).filter((found) => found !== null);
    },
    around(element, selector) {
      for (let at = dom.getComposedParent(element); at; at = dom.getComposedParent(at)) {
        if (at instanceof HTMLElement && at.matches(selector)) return at;
      }
      return null;
    },
    styleRules: () => kit.once("style rules", readStyleRules),
    matches(element, selector) {
      try {
        return element.matches(selector);
      } catch {
        return false;
      }
    },
    plain: (words) =>
      words
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
        .trim(),
    once<Fact>(key: string, make: () => Fact): Fact {
      const [tree] = axe._tree ?? [];
      if (tree !== factsOf) [facts, factsOf] = [new Map<string, unknown>(), tree];
      if (!facts.has(key)) facts.set(key, make());
      return facts.get(key) as Fact;
    },
  };
  return kit;

  function nodeOf(element: Element): VirtualNode | undefined {
    return axe.utils.getNodeFromTree(element) ?? undefined;
  }

  /** Blanks stand where blocks begin and end, as on screen. */
  function collectText(node: VirtualNode, parts: string[]): void {
    for (const child of node.children) {
      const { actualNode } = child;
      if (actualNode instanceof Text) {
        const holder = actualNode.parentElement;
        if (holder && dom.isVisibleOnScreen(holder)) parts.push(actualNode.data);
      } else if (actualNode instanceof Element) {
        const isInline = child.getComputedStylePropertyValue("display") === "inline" && actualNode.localName !== "br";
        if (!isInline) parts.push(" ");
        collectText(child, parts);
        if (!isInline) parts.push(" ");
      }
    }
  }

  function readStyleRules(): ReturnType<Kit["styleRules"]> {
    const found: ReturnType<Kit["styleRules"]> = [];
    for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
      if (!sheet.disabled) read(rulesOf(sheet), sheet.media.mediaText, found);
    }
    return found;
  }

  function rulesOf(sheet: CSSStyleSheet): CSSRule[] {
    try {
      return [...sheet.cssRules];
    } catch {
      return [];
    }
  }

  function read(rules: CSSRule[], media: string, found: ReturnType<Kit["styleRules"]>): void {
    for (const rule of rules) {
      if (found.length >= mostStyleRules) return;
      if (rule instanceof CSSStyleRule) found.push({ selector: rule.selectorText, style: rule.style, media });
      if (rule instanceof CSSImportRule && rule.styleSheet) {
        read(rulesOf(rule.styleSheet), both(media, rule.media.mediaText), found);
      } else if (rule instanceof CSSMediaRule) {
        read([...rule.cssRules], both(media, rule.media.mediaText), found);
      } else if (rule instanceof CSSGroupingRule) {
        read([...rule.cssRules], media, found);
      }
    }
  }

  function both(outer: string, inner: string): string {
    return [outer, inner].filter(Boolean).join(" and ");
  }
}
