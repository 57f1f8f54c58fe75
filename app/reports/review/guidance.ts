/** Rules with a question of their own, not that of their category. Texts: `reviews:guidance.rule.…`. */
const RULES = [
  "color-contrast",
  "link-in-text-block",
  "target-size",
  "video-caption",
  "no-autoplay-audio",
  "aria-valid-attr-value",
  "aria-hidden-focus",
  "frame-tested",
  "hidden-content",
  "bypass",
  "skip-link",
  "identical-links-same-purpose",
  "label-content-name-mismatch",
  "p-as-heading",
  "scrollable-region-focusable",
  "autocomplete-valid",
  "css-orientation-lock",
] as const;

/** Categories of axe-core. Texts: `reviews:guidance.category.…`. */
const CATEGORIES = [
  "aria",
  "color",
  "forms",
  "keyboard",
  "language",
  "name-role-value",
  "parsing",
  "semantics",
  "sensory-and-visual-cues",
  "structure",
  "tables",
  "text-alternatives",
  "time-and-media",
] as const;

/** Which text says what to look at and how to decide. */
export type Guidance =
  | { by: "rule"; name: (typeof RULES)[number] }
  | { by: "category"; name: (typeof CATEGORIES)[number] }
  | { by: "category"; name: "other" };

/** Rules with the same question as another rule. */
const SAME: Partial<Record<string, (typeof RULES)[number]>> = { "color-contrast-enhanced": "color-contrast" };

/** @param tags of the rule */
export function guidanceOf(ruleId: string, tags: string[]): Guidance {
  const rule = RULES.find((each) => each === (SAME[ruleId] ?? ruleId));
  if (rule) return { by: "rule", name: rule };
  const category = CATEGORIES.find((each) => tags.includes(`cat.${each}`));
  return { by: "category", name: category ?? "other" };
}
