import type { Judgement, PageRule } from "~/scan/rules/rampe/page-rule";

/** Techniques H71 and ARIA17: related choices have a group with a name. */
export const fieldGroup: PageRule = {
  id: "rampe-field-group",
  since: "1.0.0",
  criteria: ["1.3.1"],
  level: "wcag2a",
  category: "forms",
  impact: "moderate",
  selector: "fieldset, [role=group], [role=radiogroup], input[type=radio], input[type=checkbox]",
  judge(element, kit) {
    const groups = "fieldset, [role=group], [role=radiogroup]";
    const roles = "[role=table], [role=grid], [role=listbox], [role=menu], [role=toolbar]";
    /** A table with header cells names its choices; other tables are only layout. */
    const holders = `${groups}, ${roles}, table:not([role=presentation], [role=none]):has(th)`;
    const anyChoice = "input[type=radio], input[type=checkbox], [role=radio], [role=checkbox]";
    if (!kit.isExposed(element)) return undefined;
    if (element.matches(groups)) return judgeGroup();
    const input = element as HTMLInputElement;
    if (input.name === "" || !isSeen(input)) return undefined;
    const alike = kit.once("choices by name", choicesByName).get(`${input.type} ${input.name}`) ?? [];
    if (alike[0] !== input || alike.length < 2) return undefined;
    const isGrouped = alike.every((each) => kit.around(each, `${groups}, ${roles}, table`) !== null);
    return isGrouped ? "passes" : { asks: "ungrouped", data: { name: input.name.slice(0, 40), count: alike.length } };

    function judgeGroup(): Judgement | undefined {
      if (/^(none|presentation)$/.test(element.getAttribute("role") ?? "")) return undefined;
      const choices = kit.inside(element, anyChoice).filter((each) => isSeen(each) && kit.around(each, holders) === element);
      if (choices.length < 2) return undefined;
      const name = kit.name(element);
      const data = { count: choices.length };
      // A layout in a named group: screen readers announce the group for these choices as well.
      const outer = kit.around(element, groups);
      if (name === "" && outer && kit.isExposed(outer) && kit.name(outer) !== "" && !hasFurtherChoices(outer)) return "passes";
      if (name === "") return belongTogether(choices) ? { fails: "unnamed", data } : { asks: "unnamed", data };
      const twin = kit.all(groups).find((other) => other !== element && other.parentElement === element.parentElement && kit.isExposed(other) && kit.name(other) === name);
      return twin ? { asks: "same", data: { name: name.slice(0, 60) } } : "passes";
    }

    function hasFurtherChoices(outer: Element): boolean {
      return kit.inside(outer, anyChoice).some((each) => isSeen(each) && !kit.contains(element, each));
    }

    /** Do the choices belong together? Radio buttons do, and checkboxes with one name, also a numbered one. Others may be grouped only visually. */
    function belongTogether(choices: HTMLElement[]): boolean {
      const inputs = choices.filter((each) => each instanceof HTMLInputElement);
      const names = inputs.map((each) => each.name.replace(/\[\d*\]$|[-_]?\d+$/, "")).filter((name) => name !== "");
      return kit.matches(element, "[role=radiogroup]") || inputs.some((each) => each.type === "radio") || new Set(names).size < names.length;
    }

    function isSeen(choice: HTMLElement): boolean {
      return kit.isExposed(choice) && (choice instanceof HTMLInputElement ? kit.isFieldVisible(choice) : kit.isVisible(choice));
    }

    function choicesByName(): Map<string, HTMLElement[]> {
      const found = new Map<string, HTMLElement[]>();
      for (const each of kit.all("input[type=radio], input[type=checkbox]") as HTMLInputElement[]) {
        if (!isSeen(each)) continue;
        const key = `${each.type} ${each.name}`;
        found.set(key, [...(found.get(key) ?? []), each]);
      }
      return found;
    }
  },
};
