import type { HoverGlobals, HoverReason, HoverTrigger } from "./hover-log";

/**
 * Finds elements that may show something while the pointer is on them, or while they have the focus: by style sheets, listeners, and marks
 * of well-known libraries; also in open shadow roots. Runs inside a page, in an isolated world; it is sent as source text. Needs `defineSight`.
 * @param most maximum number of elements
 * @param mostAlike maximum number of one kind
 * @param by `focus` finds only elements that the Tab key reaches
 * @returns number of kept elements, and number of skipped kinds
 */
export function findTriggers(most: number, mostAlike: number, by: "hover" | "focus"): { kept: number; more: number } {
  const mostRules = 20_000;
  const mostSelectors = 100;
  const mostTargets = 100;
  const mostIcons = 2;
  const globals = globalThis as unknown as HoverGlobals;
  const state = (globals.rampeHover ??= { found: { hover: [], focus: [] }, triggers: [], shown: new Set(), present: new Set(), trials: new Map(), focusTrials: new Map(), triedKinds: new Set() });
  const triggers: HoverTrigger[] = [];
  state.found[by] = triggers;
  const { rampeDom: dom } = globals;
  const marks =
    "[data-tooltip], [data-tip], [data-tippy-content], [data-tooltip-id], [data-tooltip-target], [data-toggle=tooltip], [data-bs-toggle=tooltip], [data-toggle=popover], [data-bs-toggle=popover], [data-original-title], [data-bs-original-title], [onmouseover], [onmouseenter], [onpointerenter], [onpointerover], [interestfor]";
  const roots = dom.roots();
  const all = (selector: string) => roots.flatMap((root) => [...root.querySelectorAll<HTMLElement>(selector)]);
  const selectors = roots.flatMap(revealingSelectors);
  const described = all("[aria-describedby]").filter(describedByHidden);
  const listening = by === "hover" ? (globals.rampeHovered ?? []) : [...all("[onfocus], [onfocusin]"), ...hearingFocus()];
  const marked = [...all(marks), ...described, ...listening];
  const opening = by === "hover" ? all("nav [aria-haspopup]:not([aria-haspopup=false]), nav [aria-expanded=false]") : [];
  const icons = by === "hover" ? all("button, [role=button]").filter(isIcon) : [];
  if (selectors.length + marked.length + opening.length + icons.length === 0) return { kept: 0, more: 0 };

  const shown = globals.rampeSight.look();
  const styled = selectors.length > 0 ? hoveredByStyle() : [];
  const found: [HoverReason, Element[], number][] = [
    ["style", styled, Infinity],
    ["script", marked, Infinity],
    ["script", opening, 2],
    ["icon", icons, mostIcons],
  ];
  const counts = new Map<string, number>();
  const seen = new Set<Element>();
  let more = 0;
  for (const [reason, elements, limit] of found) {
    let taken = 0;
    for (const each of elements) {
      const element = by === "hover" ? each : stopIn(each);
      if (!element || seen.has(element) || taken >= limit || !isUsable(element)) continue;
      seen.add(element);
      const kind = kindOf(element);
      const alike = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, alike);
      if (alike > mostAlike) continue;
      taken += 1;
      if (triggers.length < most) triggers.push({ element, reason, kind });
      else if (alike === 1) more += 1;
    }
  }
  return { kept: triggers.length, more };

  function hearingFocus(): Element[] {
    const isFocus = (type: string) => /^focus(in)?$/.test(type);
    return [...(globals.rampeListeners ?? [])].flatMap(([node, types]) => (node instanceof Element && types.some(isFocus) ? [node] : []));
  }

  /** Tab stop of an element: itself, or the first one in it. */
  function stopIn(element: Element): Element | undefined {
    return [element, ...dom.inside(element, "a[href], button, input, select, textarea, summary, [tabindex]")].find((each) => each instanceof HTMLElement && each.tabIndex >= 0 && !dom.matches(each, ":disabled, [type=hidden]"));
  }

  /** Selectors of rules that show one part of the page while another one is hovered: the hovered part, and the shown part. */
  function revealingSelectors(root: Document | ShadowRoot): { root: Document | ShadowRoot; trigger: string; target: string }[] {
    const revealing = ["display", "visibility", "opacity", "transform", "translate", "scale", "clip", "clip-path", "height", "max-height", "width", "max-width", "left", "right", "top", "bottom"];
    const found: ReturnType<typeof revealingSelectors> = [];
    let visited = 0;
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) visit(sheet);
    return found;

    function visit(holder: CSSStyleSheet | CSSRule): void {
      let rules: CSSRuleList | undefined;
      try {
        rules = (holder as CSSStyleSheet).cssRules;
      } catch {
        // The style sheet has another origin.
      }
      for (const rule of rules ?? []) {
        visited += 1;
        if (visited > mostRules || found.length >= mostSelectors) return;
        if (rule instanceof CSSMediaRule && !matchMedia(rule.conditionText).matches) continue;
        if (rule instanceof CSSStyleRule) {
          const { style } = rule;
          // Selectors of the focus become `:hover`, so that the code below reads both in the same way.
          const selectorText = by === "hover" ? rule.selectorText : rule.selectorText.replaceAll(":hover", ":not(*)").replace(/:focus(-within|-visible)?/g, ":hover");
          if (selectorText.includes(":hover") && revealing.some((property) => style.getPropertyValue(property) !== "")) add(selectorText);
        }
        if ("cssRules" in rule) visit(rule);
      }
    }

    function add(list: string): void {
      for (const selector of partsOf(list)) {
        if (/:not\([^)]*:hover|::|&|:has\(/.test(selector)) continue;
        const end = selector.lastIndexOf(":hover") + ":hover".length;
        const rest = selector.slice(end);
        const [compound = ""] = /^[^\s>+~]*/.exec(rest) ?? [];
        if (!/\S/.test(rest.slice(compound.length))) continue;
        const withoutState = (text: string) => text.replace(/(^|[\s>+~(])(:hover)+/g, "$1*").replaceAll(":hover", "");
        found.push({ root, trigger: withoutState(selector.slice(0, end) + compound), target: withoutState(selector) });
      }
    }

    /** Commas in brackets do not separate selectors of a list. */
    function partsOf(list: string): string[] {
      let depth = 0;
      const parts = [""];
      for (const sign of list) {
        if (/[([]/.test(sign)) depth += 1;
        if (/[)\]]/.test(sign)) depth -= 1;
        if (sign === "," && depth === 0) parts.push("");
        else parts[parts.length - 1] += sign;
      }
      return parts.map((part) => part.trim());
    }
  }

  function hoveredByStyle(): Element[] {
    const hovered = new Set<Element>();
    for (const { root, trigger, target } of selectors) {
      try {
        for (const element of [...root.querySelectorAll(target)].slice(0, mostTargets)) {
          if (isSeen(element) || !hasContent(element)) continue;
          const holder = triggerOf(element, trigger);
          if (holder) hovered.add(holder);
        }
      } catch {
        // The selector is not supported.
      }
    }
    return [...hovered];
  }

  /** The element to hover to show another one: its ancestor, or an earlier sibling of it or of an ancestor. */
  function triggerOf(element: Element, selector: string): Element | undefined {
    for (let at: Element | null = element; at && at !== document.body; at = dom.parent(at)) {
      if (at !== element && dom.matches(at, selector)) return at;
      for (let before = dom.previous(at), steps = 0; before && steps < 5; before = dom.previous(before), steps += 1) if (dom.matches(before, selector)) return before;
    }
    return undefined;
  }

  function isSeen(element: Element): boolean {
    return shown.has(element) || dom.inside(element, "*").some((each) => shown.has(each));
  }

  function hasContent(element: Element): boolean {
    return dom.text(element).trim() !== "" || dom.first(element, "img, svg, input") !== null;
  }

  function describedByHidden(element: Element): boolean {
    const ids = (dom.attribute(element, "aria-describedby") ?? "").split(/\s+/).filter(Boolean);
    return ids.some((id) => {
      const description = (dom.root(element) as Document | ShadowRoot).getElementById(id);
      return description && !dom.isShown(description, { opacityProperty: true, visibilityProperty: true });
    });
  }

  function isIcon(element: HTMLElement): boolean {
    return (element.textContent ?? "").trim() === "" && element.querySelector("svg, img, i, span") !== null && element.checkVisibility();
  }

  function isUsable(element: Element): element is HTMLElement {
    // Tooltips of charts follow the pointer.
    if (!(element instanceof HTMLElement) || !isSeen(element) || dom.matches(element, "html, body, main, :disabled, [aria-hidden=true], [aria-hidden=true] *, [inert], [inert] *")) return false;
    const { width, height } = dom.box(element);
    // A large part of the page may listen for its children.
    return width > 2 && height > 2 && width * height < innerWidth * innerHeight * 0.25;
  }

  function kindOf(element: Element): string {
    const parts = [element, dom.parent(element)].map((each) => each && `${dom.localName(each)} ${dom.attribute(each, "class") ?? ""}`);
    return parts.join(" ");
  }
}

/** Chooses the list of found elements to which indexes refer from now on. */
export function useTriggers(by: "hover" | "focus"): void {
  const { rampeHover: state } = globalThis as unknown as HoverGlobals;
  if (!state) return;
  state.triggers = state.found[by];
  state.triedKinds = new Set();
}
