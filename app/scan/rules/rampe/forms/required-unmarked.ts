import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Techniques H90 and G131: required fields are marked before a form is sent. */
export const requiredUnmarked: PageRule = {
  id: "rampe-required-unmarked",
  since: "1.6.0",
  criteria: ["3.3.2"],
  level: "wcag2a",
  category: "forms",
  impact: "moderate",
  selector: "input, select, textarea",
  isAdvanced: true,
  condition: "forms",
  judge(element, kit) {
    const fields = "input:not([type=hidden], [type=submit], [type=button], [type=reset], [type=image], [type=checkbox], [type=radio], [type=search]), select, textarea";
    const required = /[*＊]|\b(required|mandatory|must|pflicht\w*|erforderlich|notwendig|benötigt|obligat\w*|obrigat\w*|requis\w*|requerid\w*|verplicht)\b/i;
    const optional = /\b(optional\w*|freiwillig\w*|wahlweise|facultati\w*|opcional\w*|opzional\w*|optionnel\w*|facoltativ\w*|optioneel)\b/i;
    const all = /\b(all (fields|questions)|alle (felder|angaben)|tous les champs|todos los campos|tutti i campi|alle velden)\b/i;
    const mostHosts = 10;
    const form = formOf(element);
    if (!element.matches(fields) || !form || !isOpen(element)) return undefined;
    const known = kit.once("facts of forms", () => new Map<HTMLFormElement, ReturnType<typeof factsOf>>());
    const { others, needed, unmarked } = known.get(form) ?? factsOf(form);
    if (!needed.has(element)) return undefined;
    // If all fields are required, no mark distinguishes them.
    if (needed.size === others.length) return others.length > 1 ? "passes" : undefined;
    if (!unmarked.has(element)) return "passes";
    return [...unmarked][0] === element ? { asks: "unmarked", data: { count: unmarked.size, fields: others.length } } : undefined;

    /** Fields of a form, those required, and those of them that nothing marks as required. */
    function factsOf(owner: HTMLFormElement) {
      const inForm = kit.once("fields by form", fieldsByForm).get(owner) ?? [];
      const hosts = new Map(inForm.map((field) => [field, hostsOf(field)]));
      const withHosts = (field: HTMLElement) => [field, ...(hosts.get(field) ?? [])];
      const must = new Set(inForm.filter((field) => isRequired(withHosts(field))));
      const isTold = () => inForm.every((field) => must.has(field) || optional.test(wordsOf(withHosts(field)))) || all.test(kit.visibleText(owner));
      const open = must.size === inForm.length || isTold() ? [] : [...must].filter((field) => !isMarked(withHosts(field)));
      const facts = { others: inForm, needed: must, unmarked: new Set(open) };
      known.set(owner, facts);
      return facts;
    }

    function fieldsByForm(): Map<HTMLFormElement, HTMLElement[]> {
      const found = new Map<HTMLFormElement, HTMLElement[]>();
      for (const field of kit.all(fields)) {
        const owner = formOf(field);
        if (owner && isOpen(field)) found.set(owner, found.get(owner) ?? []).get(owner)?.push(field);
      }
      return found;
    }

    /** Form of a field, also of one in a web component in the form. */
    function formOf(field: HTMLElement): HTMLFormElement | null {
      return (field as HTMLInputElement).form ?? (kit.around(field, "form") as HTMLFormElement | null);
    }

    /** Web components of which the field is the only one, from the inside out. */
    function hostsOf(field: HTMLElement): HTMLElement[] {
      const hosts: HTMLElement[] = [];
      const outermost = kit.root(formOf(field) ?? document);
      for (let root = kit.root(field); root instanceof ShadowRoot && root !== outermost && hosts.length < mostHosts; root = kit.root(root.host)) {
        if (kit.insideComposed(root.host, fields).length !== 1) break;
        hosts.push(root.host as HTMLElement);
      }
      return hosts;
    }

    function isOpen(field: HTMLElement): boolean {
      const { disabled, readOnly = false } = field as HTMLInputElement;
      return !disabled && !readOnly && kit.isVisible(field);
    }

    /** @param parts the field, and its web components */
    function isRequired(parts: HTMLElement[]): boolean {
      return parts.some((part) => kit.matches(part, "[required]:not([required=false]), [aria-required=true]") || kit.refusedField(part)?.isInvalid === true);
    }

    function labelsOf(parts: HTMLElement[]): Element[] {
      const legend = parts.slice(0, 1).map((field) => kit.around(field, "fieldset, [role=group]")).flatMap((group) => (group && kit.first(group, "legend")) ?? []);
      return [...parts.flatMap((part) => [...kit.labels(part), ...kit.referenced(part, "aria-describedby")]), ...legend];
    }

    function wordsOf(parts: HTMLElement[]): string {
      const said = parts.flatMap((part) => [...["label", "aria-label", "placeholder", "title"].map((attribute) => kit.attribute(part, attribute) ?? ""), kit.name(part)]);
      return [...labelsOf(parts).map((label) => kit.visibleText(label)), ...said].join(" ");
    }

    /** Is the field marked by words, a sign, generated content or a picture? */
    function isMarked(parts: HTMLElement[]): boolean {
      // A control's name may hide properties of its form.
      const parents = parts.map((part) => kit.parent(part));
      const boxes = [...parts.slice(1), ...parents, parents[0] ? kit.parent(parents[0]) : null];
      const around = boxes.filter((box) => box instanceof HTMLElement && !(box instanceof HTMLFormElement) && kit.insideComposed(box, fields).length === 1) as HTMLElement[];
      if (required.test(wordsOf(parts)) || around.some((box) => required.test(kit.visibleText(box)))) return true;
      const drawn = [...labelsOf(parts), ...around].flatMap((each) => [each, ...kit.insideComposed(each, "*")]);
      return drawn.some((each) => /^(img|svg)$/.test(kit.localName(each)) || ["::before", "::after"].some((part) => !/^(none|normal|"\s*")$/.test(getComputedStyle(each, part).content)));
    }
  },
};
