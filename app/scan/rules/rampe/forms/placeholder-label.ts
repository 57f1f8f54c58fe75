import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Techniques G131, H90: the label disappears when the user types. Words right before a field are a permanent label. */
export const placeholderLabel: PageRule = {
  id: "rampe-placeholder-label",
  since: "1.0.0",
  criteria: ["3.3.2"],
  level: "wcag2a",
  category: "forms",
  impact: "moderate",
  selector: "input[placeholder], textarea[placeholder]",
  judge(element, kit) {
    const field = element as HTMLInputElement;
    if (!kit.isVisible(field) || field.type === "search" || field.disabled || field.readOnly) return undefined;
    const labels = [...(field.labels ?? []), ...kit.referenced(field, "aria-labelledby")];
    if (labels.some((label) => kit.isVisible(label) && kit.visibleText(label) !== "")) return "passes";
    if (isForSearch()) return undefined;
    if (hasWordsBefore()) return "passes";
    return field.placeholder.trim() === "" ? undefined : { asks: "placeholder", data: { placeholder: field.placeholder.trim().slice(0, 60) } };

    function isForSearch(): boolean {
      if (/^(search|combobox)$/.test(field.getAttribute("role") ?? "") || kit.around(field, "[role=search], search, form[action*=search], form[action*=suche]")) return true;
      const namesOf = (each: Element) => ["id", "name", "class"].map((attribute) => kit.attribute(each, attribute) ?? "").join(" ");
      const search = /(?<!re)search|(?<!be|ge|ver)suche|query/i;
      if (search.test(namesOf(field)) || /^[qs]$/i.test(field.name) || /^[qs]$/i.test(field.id)) return true;
      // Fields of a flight search have meanings of their own.
      const box = boxWithButton();
      if (!box || fieldsIn(box).some((each) => each !== field)) return false;
      return search.test(namesOf(box)) || buttonsIn(box).some((button) => /^(\S+ )?(search|suchen?)( \S+)?$/.test(kit.plain(kit.name(button))));
    }

    /** Form of the field, or else a box that contains the field and a button. */
    function boxWithButton(): Element | null {
      if (field.form) return field.form;
      let box = field.parentElement;
      for (let level = 0; box && level < 2 && buttonsIn(box).length === 0; level += 1) box = kit.parent(box);
      return box;
    }

    function buttonsIn(box: Element): HTMLElement[] {
      return kit.inside(box, "button, input[type=submit], input[type=button], input[type=image], [role=button]");
    }

    function fieldsIn(box: Element): HTMLElement[] {
      const fields = kit.inside(box, "input:not([type=hidden], [type=submit], [type=button], [type=image], [type=reset]), textarea, select");
      return fields.filter((each) => kit.isVisible(each));
    }

    /** Are there words on the field's line or just above? The box or cell may contain only the field. */
    function hasWordsBefore(): boolean {
      for (let [at, level] = [element, 0]; level < 4; level += 1) {
        const before = wordsBefore(at);
        if (before) return isLabel(before);
        const { parentElement } = at;
        if (!parentElement || kit.matches(parentElement, "form, tr, li, body, main, section, article, dialog")) return false;
        if (kit.matches(parentElement, "fieldset") && kit.first(parentElement, "legend")) return false;
        // A single button submits the field.
        const isAlone = fieldsIn(parentElement).length === 1 && buttonsIn(parentElement).length <= 1;
        if (!isAlone && !kit.matches(parentElement, "td")) return false;
        at = parentElement;
      }
      return false;
    }

    /** Closest node before it with letters, or with a control. */
    function wordsBefore(at: Element): Node | null {
      for (let node = at.previousSibling; node; node = node.previousSibling) {
        const words = node instanceof HTMLElement ? kit.visibleText(node) : node instanceof Text ? node.data : "";
        const isControl = node instanceof HTMLElement && kit.isVisible(node) && fieldsIn(node).length + Number(kit.matches(node, "input, textarea, select")) > 0;
        if (isControl || /\p{L}{2}/u.test(words)) return node;
      }
      return null;
    }

    function isLabel(node: Node): boolean {
      const words = node instanceof HTMLElement ? kit.visibleText(node) : kit.text(node).trim();
      const others = "a, button, input, textarea, select, h1, h2, h3, h4, h5, h6, legend, [role=button], [role=link], [role=heading]";
      const holder = node instanceof HTMLElement ? node : kit.parent(node);
      const isOfOther = node instanceof HTMLLabelElement && node.control !== null && node.control !== field;
      if (isOfOther || words.length > 40 || /^(or|oder)$/i.test(words) || !holder || (node instanceof HTMLElement && (kit.matches(node, others) || kit.first(node, others)))) return false;
      // Larger letters are a heading of the whole form.
      if (parseFloat(kit.style(holder).fontSize) > parseFloat(kit.style(field).fontSize) * 1.4) return false;
      const range = document.createRange();
      range.selectNodeContents(node);
      const [own, box] = [range.getBoundingClientRect(), field.getBoundingClientRect()];
      return own.top < box.bottom && box.top - own.bottom < 24;
    }
  },
};
