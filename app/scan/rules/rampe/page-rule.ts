import type { Condition, Impact } from "~/scan/types";
import type { Kit } from "./kit";

/**
 * A check of our own. `judge` runs inside a page, in an isolated world with axe-core loaded; it is sent as source text: it may
 * use nothing outside itself but the kit.
 */
export interface PageRule {
  /** Unique over all sources, such as `rampe-label-in-name`. */
  id: string;
  /** Version of our rules (`RULES_VERSION`) that introduced the rule. */
  since: string;
  /** Success criteria, such as `2.5.3`; the first one decides about duplicates of axe-core's findings. */
  criteria: string[];
  /** Implemented rules of W3C's ACT Rules, such as `23a2a8`. */
  actIds?: string[];
  /** axe-core's tag of level and version of its criteria, such as `wcag21a` for level A of WCAG 2.1. */
  level: LevelTag;
  category: RuleCategory;
  impact: Impact;
  /** CSS selector of the elements that may be judged, within documents and shadow roots. */
  selector: string;
  /** Also judges elements that are hidden from assistive technology; only visible ones, unless the rule tests this itself. */
  includesHidden?: boolean;
  /** Needs expensive facts, such as listeners: runs only in an advanced analysis (`PageRequest.advanced`). */
  isAdvanced?: boolean;
  /** Condition of the page for the rule in an advanced analysis; it may read observations (`Kit.stop`, `Kit.refusedField`, `Kit.layout`). */
  condition?: Condition;
  /** Runs in an advanced analysis after the page has been watched, and may read changes without any user action (`Kit.textChanges`). */
  isWatched?: boolean;
  /** Outcome for one element; undefined if the rule does not apply to it. */
  judge: (element: HTMLElement, kit: Kit) => Judgement | undefined;
}

/**
 * `fails`: certain without knowing the author's intention. `asks`: a person has to decide. Both with the key of their message in
 * `locales/en/rules.json`, and values for its placeholders.
 */
export type Judgement =
  | "passes"
  | { fails: string; data?: Record<string, string | number> }
  | { asks: string; data?: Record<string, string | number> };

type LevelTag = `wcag2${"" | "1" | "2"}${"a" | "aa" | "aaa"}`;

type RuleCategory =
  | "aria"
  | "color"
  | "forms"
  | "keyboard"
  | "language"
  | "name-role-value"
  | "semantics"
  | "sensory-and-visual-cues"
  | "structure"
  | "tables"
  | "text-alternatives"
  | "time-and-media";

/**
 * Tags in axe-core's form: `cat.forms`, `wcag21a`, `wcag253`, `EN-301-549`, `EN-9.2.5.3`. EN 301 549 V3.2.1 has no clause for
 * level AAA and for criteria that are new in WCAG 2.2.
 */
export function tagsOfRule({ category, level, criteria }: Pick<PageRule, "category" | "level" | "criteria">): string[] {
  const numbers = criteria.map((criterion) => `wcag${criterion.replaceAll(".", "")}`);
  const clauses = level.endsWith("aaa") || level.startsWith("wcag22") ? [] : ["EN-301-549", ...criteria.map((criterion) => `EN-9.${criterion}`)];
  return [`cat.${category}`, level, ...numbers, ...clauses];
}
