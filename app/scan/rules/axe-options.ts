import type { Level, RuleChoice, Standard } from "~/scan/types";

/** Options for axe-core. */
export interface AxeOptions {
  runOnly: { type: "tag" | "rule"; values: string[] };
  rules: Record<string, { enabled: false }>;
  reporter: string;
  preload: false;
}

/** axe-core's tags of the success criteria that each level adds, by the WCAG version that introduced them. */
const TAGS: Record<Level, { tag: string; since: "2.1" | "2.2" }[]> = {
  A: [
    { tag: "wcag2a", since: "2.1" },
    { tag: "wcag21a", since: "2.1" },
    { tag: "wcag22a", since: "2.2" },
  ],
  AA: [
    { tag: "wcag2aa", since: "2.1" },
    { tag: "wcag21aa", since: "2.1" },
    { tag: "wcag22aa", since: "2.2" },
  ],
  AAA: [
    { tag: "wcag2aaa", since: "2.1" },
    { tag: "wcag21aaa", since: "2.1" },
    { tag: "wcag22aaa", since: "2.2" },
  ],
};

const LEVELS_UP_TO: Record<Level, Level[]> = { A: ["A"], AA: ["A", "AA"], AAA: ["A", "AA", "AAA"] };

/** The tags of all rules of a standard. axe-core accepts tags of levels for which it has no rule yet. */
export function tagsOf({ version, level }: Standard): string[] {
  return LEVELS_UP_TO[level].flatMap((each) =>
    TAGS[each].filter(({ since }) => since <= version).map(({ tag }) => tag),
  );
}

/** Is a rule of our own requested? @param level axe-core's tag of its level and version */
export function isAsked({ id, level }: { id: string; level: string }, standard: Standard, { only, without = [] }: RuleChoice = {}): boolean {
  return only ? only.includes(id) : tagsOf(standard).includes(level) && !without.includes(id);
}

/** axe-core's options for a run against a standard, reported by the analyser (`analyser.ts`). */
export function axeOptions(standard: Standard, reporter: string, { only, without = [] }: RuleChoice = {}): AxeOptions {
  return {
    runOnly: only ? { type: "rule", values: only } : { type: "tag", values: tagsOf(standard) },
    rules: Object.fromEntries(without.map((id) => [id, { enabled: false }])),
    reporter,
    // axe would fetch every style sheet of other origins again for `css-orientation-lock`, which is experimental and belongs to no
    // standard. The analyser itself waits for media.
    preload: false,
  };
}
