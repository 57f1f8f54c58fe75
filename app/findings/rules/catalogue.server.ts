import type { Fix } from "~/findings/fixes/fix";
import type { Locale } from "~/platform/i18n/i18n";
import { barrierOfCategory, categoryOf } from "./axe/categories";
import { BARRIERS, type ImpactOnPeople } from "./barriers";
import type { FixableElement, Guidance, RuleEntry } from "./rule";

/** Entries of rules with further data, one file each, in `axe/` and `rampe/`, both by category. */
const ENTRIES = new Map(
  Object.values(import.meta.glob<RuleEntry>(["./axe/*/*.ts", "./rampe/*/*.ts"], { eager: true, import: "default" })).map((entry) => [entry.id, entry]),
);

/** Barrier and affected groups of a rule; for an unknown rule by its category, otherwise general. */
export function impactOnPeople(ruleId: string, tags: string[]): ImpactOnPeople {
  const category = categoryOf(tags);
  const barrier = ENTRIES.get(ruleId)?.barrier ?? (category === null ? "general" : barrierOfCategory(category));
  return { barrier, people: BARRIERS[barrier] };
}

export const asksOnly = (ruleId: string): boolean => ENTRIES.get(ruleId)?.asksOnly ?? false;

/** @param tags of the rule */
export function guidanceOf(ruleId: string, tags: string[]): Guidance {
  const question = ENTRIES.get(ruleId)?.question;
  return question ? { by: "rule", name: question } : { by: "category", name: categoryOf(tags) ?? "other" };
}

/** Fix for an element of a rule, as in `FixOfRule`; null if it cannot be computed. */
export function fixOf(ruleId: string, element: FixableElement, locale: Locale): Fix | null {
  return ENTRIES.get(ruleId)?.fix?.(element, locale) ?? null;
}
