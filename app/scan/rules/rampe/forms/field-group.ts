import type { Judgement, PageRule } from "~/scan/rules/rampe/page-rule";

/** Techniques H71 and ARIA17: choices that belong together have a group with a name. */
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
    if (!kit.isExposed(element)) return undefined;
    if (element.matches(groups)) return judgeGroup();
    const input = element as HTMLInputElement;
    if (input.name === "" || !kit.isVisible(input)) return undefined;
    const alike = kit.once("choices by name", choicesByName).get(`${input.type} ${input.name}`) ?? [];
    if (alike[0] !== input || alike.length < 2) return undefined;
    const isGrouped = alike.every((each) => kit.around(each, `${groups}, [role=table], [role=grid], [role=listbox], table, [role=menu], [role=toolbar]`) !== null);
    return isGrouped ? "passes" : { asks: "ungrouped", data: { name: input.name.slice(0, 40), count: alike.length } };

    function judgeGroup(): Judgement | undefined {
      if (/^(none|presentation)$/.test(element.getAttribute("role") ?? "")) return undefined;
      const choices = [...element.querySelectorAll<HTMLInputElement>("input[type=radio], input[type=checkbox]")].filter((each) => kit.isVisible(each) && kit.around(each, groups) === element);
      if (choices.length < 2) return undefined;
      const name = kit.name(element);
      const data = { count: choices.length };
      if (name === "") return belongTogether(choices) ? { fails: "unnamed", data } : { asks: "unnamed", data };
      const twin = kit.all(groups).find((other) => other !== element && other.parentElement === element.parentElement && kit.isExposed(other) && kit.name(other) === name);
      return twin ? { asks: "same", data: { name: name.slice(0, 60) } } : "passes";
    }

    /** Radio buttons do, and checkboxes of one name, also if it is numbered. Others may stand in one group for their looks. */
    function belongTogether(choices: HTMLInputElement[]): boolean {
      const names = choices.map((each) => each.name.replace(/\[\d*\]$|[-_]?\d+$/, "")).filter((name) => name !== "");
      return choices.some((each) => each.type === "radio") || new Set(names).size < names.length;
    }

    function choicesByName(): Map<string, HTMLElement[]> {
      const found = new Map<string, HTMLElement[]>();
      for (const each of kit.all("input[type=radio], input[type=checkbox]") as HTMLInputElement[]) {
        if (!kit.isVisible(each)) continue;
        const key = `${each.type} ${each.name}`;
        found.set(key, [...(found.get(key) ?? []), each]);
      }
      return found;
    }
  },
};
