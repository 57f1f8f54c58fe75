import type { Judgement, PageRule } from "~/scan/rules/rampe/page-rule";

/** Speech input uses the visible label. Compared as in ACT's rule 2ee8b8: whole words, in their order. */
export const labelInName: PageRule = {
  id: "rampe-label-in-name",
  since: "1.0.0",
  criteria: ["2.5.3"],
  actIds: ["2ee8b8"],
  level: "wcag21a",
  category: "name-role-value",
  impact: "serious",
  selector: "a[href], area[href], button, summary, input:not([type=hidden]), select, textarea, [role]",
  judge(element, kit): Judgement | undefined {
    const byContent = ["button", "checkbox", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "radio"];
    byContent.push("switch", "tab", "treeitem");
    const isField = kit.matches(element, "input:not([type=button], [type=submit], [type=reset], [type=image]), select, textarea");
    const role = kit.role(element);
    if (!isField && !(role && byContent.includes(role))) return undefined;
    if (!kit.isVisible(element) || !kit.isExposed(element) || kit.matches(element, ":disabled, [aria-disabled=true]")) return undefined;

    const label = isField ? labelOf(element as HTMLInputElement) : labelOn(element);
    // Text in brackets may be missing in the name.
    const visible = label.replace(/\s*\([^()]*\)/g, " ").replace(/\s+/g, " ").trim() || label;
    // A letter with signs is a symbol: "A+" for larger text.
    const isSymbol = !/[\p{L}\p{N}]/u.test(visible) || /^\p{L}[+\-–−]{0,2}$/u.test(visible);
    const longest = 100;
    if (visible === "" || isSymbol || visible.length > longest) return undefined;
    const name = kit.name(element);
    if (name === "") return undefined;
    const isNamedByContent = !isField && !(element instanceof HTMLInputElement) && !kit.matches(element, "[aria-label], [aria-labelledby]");
    const isIn = [label, visible].some((text) => [" ", ""].some((hyphen) => contains(tokensOf(name, hyphen), tokensOf(text, hyphen)))) || isSpelled(visible, name);
    if (isNamedByContent && hasAllTexts(element, name)) {
      const between = isIn ? "" : hiddenBetween(element);
      if (!between) return "passes";
      return kit.isFirstOfKind(element, "rampe-label-in-name") ? { asks: "between", data: { label: visible, name: name.slice(0, longest), words: between.slice(0, longest) } } : undefined;
    }
    if (isIn) return "passes";
    const data = { label: visible, name: name.slice(0, longest) };
    // "Click Examples" works for "2) Examples". A full stop may also end an ordinal or an initial: "2. Bundesliga", "J. Smith".
    const mark = kit.listMark(label);
    if (mark !== "" && contains(tokensOf(name, " "), tokensOf(label.slice(mark.length), " "))) {
      if (mark.endsWith(")")) return "passes";
      return kit.isFirstOfKind(element, "rampe-label-in-name mark") ? { asks: "mark", data: { ...data, mark } } : undefined;
    }
    if (isField) return { fails: "field", data };
    // The text is a number, such as the number of products in a shopping cart.
    const isCount = /^\d+\+?$/.test(visible) && hasPicture(element);
    return isCount ? { asks: "count", data } : { fails: "control", data };

    /** Does the name contain all texts? Names of pictures may be between them; a visible text may be hidden from screen readers, as a known state. */
    function hasAllTexts(control: HTMLElement, whole: string): boolean {
      const texts: string[] = [];
      const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const holder = node.parentElement;
        if (holder && kit.isVisible(holder) && kit.isExposed(holder)) texts.push(kit.plain((node as Text).data));
      }
      const seen = texts.filter((text) => text !== "");
      return seen.length > 0 && seen.every((text) => kit.plain(whole).includes(text));
    }

    /** F96: words only for screen readers between visible words; "" for none. */
    function hiddenBetween(control: HTMLElement): string {
      const parts: { words: string; isSeen: boolean }[] = [];
      const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const holder = node.parentElement;
        const words = (node as Text).data.trim();
        if (holder && kit.isExposed(holder) && /\p{L}{2}/u.test(words)) parts.push({ words, isSeen: kit.isVisible(holder) });
      }
      const isBetween = (index: number) => parts.slice(0, index).some(({ isSeen }) => isSeen) && parts.slice(index + 1).some(({ isSeen }) => isSeen);
      return parts.find(({ isSeen }, index) => !isSeen && isBetween(index))?.words ?? "";
    }

    function labelOf(field: HTMLInputElement): string {
      if (!field.hasAttribute("aria-label") && !field.hasAttribute("aria-labelledby")) return "";
      const [first, ...others] = field.labels ?? [];
      // Choices and values inside a label do not belong to it.
      if (!first || others.length > 0 || first.querySelector("select, textarea, button, [contenteditable]")) return "";
      const [whole, named] = [textOf(first), kit.referenced(field, "aria-labelledby")];
      const parts = named.map(textOf).join(" ");
      // The following text of the label, such as a unit, is intentionally not part of the name.
      return named.length > 0 && named.every((each) => kit.contains(first, each)) && whole.startsWith(parts) ? parts : whole;
    }

    function labelOn(control: HTMLElement): string {
      if (control instanceof HTMLInputElement) return control.type === "image" ? "" : control.value;
      const { textIndent, fontSize } = kit.style(control);
      // A picture replaces text that is moved out of view.
      if (Math.abs(parseFloat(textIndent)) >= Math.max(1, kit.box(control).width) || parseFloat(fontSize) === 0) return "";
      if (!/^(treeitem|menuitem)/.test(role ?? "")) return textOf(control);
      // Items below an item have names of their own.
      const below = [...control.querySelectorAll("[role=group], [role=menu], [role=tree], ul, ol")].find((list) => kit.visibleText(list) !== "");
      return below ? kit.textBeforeList(control, below) : textOf(control);
    }

    /** Visible text without letters that are drawn as pictures. */
    function textOf(part: Element): string {
      const isIcon = (each: Element) => kit.isIconFont(kit.style(each).fontFamily);
      return [part, ...kit.inside(part, "*")].some(isIcon) ? textBesideIcons(part).replace(/\s+/g, " ").trim() : kit.visibleText(part);
    }

    function textBesideIcons(part: Element): string {
      if (kit.isIconFont(kit.style(part).fontFamily)) return "";
      const texts = kit.nodes(part).map((node) => {
        if (node instanceof Text) return kit.isVisible(part) ? node.data : "";
        if (!(node instanceof Element)) return "";
        return kit.style(node).display === "inline" ? textBesideIcons(node) : ` ${textBesideIcons(node)} `;
      });
      return texts.join("");
    }

    /** Is each letter in an element of its own, such as for an animation? */
    function isSpelled(letters: string, whole: string): boolean {
      const fewest = 3;
      const tokens = tokensOf(letters, " ");
      return tokens.length >= fewest && tokens.every((token) => /^\p{L}\p{M}*$/u.test(token)) && tokensOf(whole, "").join("").includes(tokens.join(""));
    }

    /** Does the control contain a picture, also one of a style sheet? */
    function hasPicture(control: HTMLElement): boolean {
      if (kit.first(control, "img, svg") !== null) return true;
      return [control, ...kit.inside(control, "*")].some((each) =>
        [null, "::before", "::after"].some((pseudo) => {
          const { backgroundImage, maskImage, content } = getComputedStyle(each, pseudo);
          return [backgroundImage, maskImage, content].some((value) => value.includes("url("));
        }),
      );
    }

    function tokensOf(words: string, hyphen: string): string[] {
      return words
        .normalize("NFKC")
        .toLowerCase()
        .replace(/(?<=\p{L})[-\u00ad\u2010\u2011](?=\p{L})/gu, hyphen)
        .replace(/['\u2019]/g, "")
        .replace(/[^\p{L}\p{M}\p{N}.]+/gu, " ")
        .replace(/\.(?=\s|$)/g, "\u2024 ")
        .replace(/\./g, " ")
        .split(/\s+/)
        .filter((token) => token !== "" && token !== "\u2024");
    }

    /** An abbreviation ("Ave.") is contained in its word, a number ("1") in its ordinal ("1st", "1er", "1º"). */
    function isSame(token: string, other: string): boolean {
      const [short, long] = [token.replace("\u2024", ""), other.replace("\u2024", "")];
      const isOrdinal = /^\d+$/.test(short) && long.startsWith(short) && /^(st|nd|rd|th|er|re|ère|e|ème|de|ste|o|a)$/.test(long.slice(short.length));
      return short === long || isOrdinal || (token.endsWith("\u2024") && short.length > 1 && long.startsWith(short));
    }

    function contains(all: string[], part: string[]): boolean {
      return all.some((_, start) => part.every((token, index) => isSame(token, all[start + index] ?? "")));
    }
  },
};
