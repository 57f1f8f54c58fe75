import type { Barrier } from "~/findings/rules/barriers";

/** Barriers by axe-core's category, for rules without a more specific one. */
const BARRIER_OF_CATEGORY = {
  aria: "aria",
  color: "color",
  forms: "fields",
  keyboard: "keyboard",
  language: "pageLanguage",
  "name-role-value": "names",
  parsing: "duplicateIds",
  semantics: "structure",
  "sensory-and-visual-cues": "sensory",
  structure: "structure",
  tables: "tables",
  "text-alternatives": "textAlternatives",
  "time-and-media": "media",
} as const satisfies Record<string, Barrier>;

export type RuleCategory = keyof typeof BARRIER_OF_CATEGORY;

/** Category of a rule. @param tags of the rule, such as `cat.forms` @returns null for a category that axe-core does not have */
export function categoryOf(tags: string[]): RuleCategory | null {
  const names = tags.filter((tag) => tag.startsWith("cat.")).map((tag) => tag.slice("cat.".length));
  return names.find((name): name is RuleCategory => Object.hasOwn(BARRIER_OF_CATEGORY, name)) ?? null;
}

export const barrierOfCategory = (category: RuleCategory): Barrier => BARRIER_OF_CATEGORY[category];
