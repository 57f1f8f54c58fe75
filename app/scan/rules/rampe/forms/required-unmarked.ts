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
    const form = formOf(element);
    if (!element.matches(fields) || !form || !isOpen(element) || !isRequired(element)) return undefined;
    const others = kit.once("fields by form", fieldsByForm).get(form) ?? [];
    const optionals = others.filter((field) => !isRequired(field));
    // If all fields are required, no mark distinguishes them.
    if (optionals.length === 0) return others.length > 1 ? "passes" : undefined;
    if (isMarked(element) || optionals.every((field) => optional.test(wordsOf(field))) || all.test(kit.visibleText(form))) return "passes";
    const unmarked = others.filter((field) => isRequired(field) && !isMarked(field));
    return unmarked[0] === element ? { asks: "unmarked", data: { count: unmarked.length, fields: others.length } } : undefined;

    function fieldsByForm(): Map<HTMLFormElement, HTMLElement[]> {
      const found = new Map<HTMLFormElement, HTMLElement[]>();
      for (const field of kit.all(fields)) {
        const owner = formOf(field);
        if (owner && isOpen(field)) found.set(owner, [...(found.get(owner) ?? []), field]);
      }
      return found;
    }

    /** Form of a field, also of one in a web component in the form. */
    function formOf(field: HTMLElement): HTMLFormElement | null {
      return (field as HTMLInputElement).form ?? (kit.around(field, "form") as HTMLFormElement | null);
    }

    /** Web components of which the field is the only one. */
    function hostsOf(field: HTMLElement): Element[] {
      const hosts: Element[] = [];
      const outermost = kit.root(formOf(field) ?? document);
      for (let root = kit.root(field); root instanceof ShadowRoot && root !== outermost; root = kit.root(root.host)) hosts.push(root.host);
      return hosts.filter((host) => kit.insideComposed(host, fields).length === 1);
    }

    function isOpen(field: HTMLElement): boolean {
      const { disabled, readOnly = false } = field as HTMLInputElement;
      return !disabled && !readOnly && kit.isVisible(field);
    }

    function isRequired(field: HTMLElement): boolean {
      const refused = kit.refusedField(field);
      const isByHost = hostsOf(field).some((host) => kit.matches(host, "[required]:not([required=false])"));
      return (field as HTMLInputElement).required || isByHost || field.getAttribute("aria-required") === "true" || (refused !== undefined && refused.isInvalid);
    }

    function labelsOf(field: HTMLElement): Element[] {
      const group = kit.around(field, "fieldset, [role=group]");
      return [...((field as HTMLInputElement).labels ?? []), ...kit.referenced(field, "aria-labelledby"), ...kit.referenced(field, "aria-describedby"), ...(group?.querySelector("legend") ? [group.querySelector("legend") as Element] : [])];
    }

    function wordsOf(field: HTMLElement): string {
      const named = hostsOf(field).map((host) => kit.attribute(host, "label") ?? "");
      return [...labelsOf(field).map((label) => kit.visibleText(label)), ...named, ...["placeholder", "title"].map((attribute) => field.getAttribute(attribute) ?? ""), kit.name(field)].join(" ");
    }

    /** Is the field marked by words, a sign, generated content or a picture? */
    function isMarked(field: HTMLElement): boolean {
      const label = labelsOf(field);
      // A control's name may hide properties of its form.
      const parents = [field.parentElement, field.parentElement?.parentElement, ...hostsOf(field), ...hostsOf(field).map((host) => kit.parent(host))];
      const around = parents.filter((box) => box instanceof HTMLElement && !(box instanceof HTMLFormElement) && kit.insideComposed(box, fields).length === 1) as HTMLElement[];
      if (required.test(wordsOf(field)) || around.some((box) => required.test(kit.visibleText(box)))) return true;
      const parts = [...label, ...around].flatMap((each) => [each, ...kit.insideComposed(each, "*")]);
      return parts.some((each) => /^(img|svg)$/.test(each.localName) || ["::before", "::after"].some((part) => !/^(none|normal|"\s*")$/.test(getComputedStyle(each, part).content)));
    }
  },
};
