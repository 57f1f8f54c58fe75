export interface StyleRule {
  /** Selector; for a nested rule, combined with those of the rules around it. */
  selector: string;
  style: CSSStyleDeclaration;
  /** Media query around the rule, "" for none. */
  media: string;
}

/** Reads the style sheets of the page. Runs inside a page; sent as source text. */
export function readStyleRules(): { rules: StyleRule[]; isWhole: boolean } {
  const mostStyleRules = 20_000;
  const rules: StyleRule[] = [];
  let isWhole = true;
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
    if (!sheet.disabled) read(rulesOf(sheet), sheet.media.mediaText, "");
  }
  return { rules, isWhole };

  function rulesOf(sheet: CSSStyleSheet): CSSRule[] {
    try {
      return [...sheet.cssRules];
    } catch {
      isWhole = false;
      return [];
    }
  }

  /** @param parent selector of the outer rule, "" for none */
  function read(list: Iterable<CSSRule>, media: string, parent: string): void {
    for (const rule of list) {
      isWhole &&= rules.length < mostStyleRules;
      if (rules.length < mostStyleRules) readRule(rule, media, parent);
    }
  }

  function readRule(rule: CSSRule, media: string, parent: string): void {
    if (rule instanceof CSSStyleRule) {
      const selector = parent ? rule.selectorText.replaceAll("&", `:is(${parent})`) : rule.selectorText;
      rules.push({ selector, style: rule.style, media });
      read(rule.cssRules, media, selector);
    } else if (rule instanceof CSSImportRule) {
      if (rule.styleSheet) read(rulesOf(rule.styleSheet), both(media, rule.media.mediaText), "");
    } else if (rule instanceof CSSMediaRule) {
      read(rule.cssRules, both(media, rule.media.mediaText), parent);
    } else if (rule instanceof CSSSupportsRule) {
      if (CSS.supports(rule.conditionText)) read(rule.cssRules, media, parent);
    } else if (rule instanceof CSSGroupingRule) {
      // The required container or scope may be another one, which is unknown here.
      if (/^(CSSContainerRule|CSSScopeRule)$/.test(rule.constructor.name)) isWhole = false;
      read(rule.cssRules, media, parent);
    } else if (parent && "style" in rule) {
      rules.push({ selector: parent, style: rule.style as CSSStyleDeclaration, media });
    }
  }

  function both(outer: string, inner: string): string {
    return [outer, inner].filter(Boolean).join(" and ");
  }
}
