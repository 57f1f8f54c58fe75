import type english from "locales/en/guides.json";
import { ENGINE_OF, type EngineVersion, type Impact, type Level, type RuleSource } from "~/scan/types";
import { listRules, type ListedRule } from "~/scan/rules/list-rules";
import { understandingUrl } from "~/scan/rules/rampe/understanding-url";
import type { AdvancedAnalyses, LocalText } from "~/findings/check-view";
import { criteriaOfStandard, type SuccessCriterion } from "~/findings/success-criteria";
import type { Locale } from "~/platform/i18n/i18n";
import { textFile } from "~/platform/i18n/text-files.server";
import type { ImpactOnPeople } from "./barriers";
import { asksOnly, impactOnPeople } from "./catalogue.server";
import { criteriaOf, criterionName, levelOf } from "./criteria.server";
import { OWN_RULE_TEXTS, ruleText } from "./texts.server";
import { titleOf } from "./titles.server";

/** Texts about one rule, in the language of `lang`. */
type GuideText = (typeof english)["image-alt"];

export const EXAMPLE_KINDS = ["fails", "passes"] as const;
export type ExampleKind = (typeof EXAMPLE_KINDS)[number];

export interface RuleLine {
  id: string;
  source: RuleSource;
  help: LocalText;
  /** Whether the rule reports only questions for a person, no errors. */
  asksOnly: boolean;
  /** Whether the rule is part of the advanced analyses, which not every plan includes. */
  isAdvanced: boolean;
  level: Level | null;
}

export interface RuleGuide extends RuleLine, ImpactOnPeople, GuideText {
  /** Title in reports, for a violation. */
  title: LocalText;
  description: LocalText;
  impact: Impact;
  /** Tags of axe-core, or in its form. */
  tags: string[];
  /** Whether the rule reports only errors, no questions. */
  neverAsks: boolean;
  engine: EngineVersion["name"];
  /** Version as in `ListedRule`. */
  since: string | null;
  criteria: (Pick<SuccessCriterion, "number" | "clause"> & { name: string })[];
  /** Sources in English. */
  sources: { name: string; href: string }[];
}

/** `partly`: some errors are found; `questions`: only questions for a person; `none`: no rule. */
export type CriterionCoverage = "partly" | "questions" | "none";

export interface CoveredCriterion {
  number: string;
  name: string;
  level: Level;
  coverage: CriterionCoverage;
  rules: RuleLine[];
}

let listed: Map<string, ListedRule> | undefined;

/** Rules that run in a scan, by id. Listed at first use, because that loads all of axe-core. */
function allRules(): Map<string, ListedRule> {
  listed ??= new Map(listRules(OWN_RULE_TEXTS).flatMap((rule) => (rule.inStandard ? [[rule.id, rule]] : [])));
  return listed;
}

export const guidedRules = (): string[] => [...allRules().keys()];

/** Tags of a rule; none if it is no longer installed. */
export const tagsOfInstalled = (ruleId: string): string[] => allRules().get(ruleId)?.tags ?? [];

/** Address of the page about a rule; axe-core's or W3C's page for a rule that is no longer installed. @param origin of the server, "" for a path */
export function helpAddress({ ruleId, helpUrl }: { ruleId: string; helpUrl: string }, origin = ""): string {
  return allRules().has(ruleId) ? `${origin}/rules/${ruleId}` : helpUrl;
}

/** Guide to a rule; null if it is unknown. */
export function ruleGuide(id: string, locale: Locale): RuleGuide | null {
  const rule = allRules().get(id);
  if (!rule) return null;
  const { source, since, tags, impact, neverAsks } = rule;
  const line = lineOf(rule, locale);
  return {
    ...line,
    ...guideText(id, locale),
    ...impactOnPeople(id, tags),
    title: titleOf({ ruleId: id, help: rule.help }, line.asksOnly ? "incomplete" : "violations", locale),
    description: textOf(rule, locale, "description"),
    impact,
    tags,
    neverAsks,
    since,
    engine: ENGINE_OF[source],
    criteria: criteriaOf(tags).map((number) => ({ number, name: criterionName(number, locale), clause: clauseOf(number) })),
    sources: sourcesOf(rule),
  };
}

/** Whether advanced analyses took part. @param ruleIds as in `advancedAnalyses` */
export function hasAdvancedRules(ruleIds: string[]): boolean {
  return ruleIds.some((id) => allRules().get(id)?.isAdvanced === true);
}

/**
 * The advanced analyses in a run; null if no rules of ours took part.
 * @param ruleIds rules that have run, also those with nothing to test, or interrupted
 */
export function advancedAnalyses(engines: EngineVersion[], ruleIds: string[], locale: Locale): AdvancedAnalyses | null {
  const rules = [...allRules().values()].filter(({ isAdvanced }) => isAdvanced);
  const ran = hasAdvancedRules(ruleIds);
  const hasOwnRules = engines.some(({ name }) => name === ENGINE_OF.rampe);
  return ran || hasOwnRules ? { ran, rules: rules.map((rule) => lineOf(rule, locale)) } : null;
}

/** Fix instructions for a rule; null if it is no longer installed. */
export const howToFix = (ruleId: string, locale: Locale): string | null => (allRules().has(ruleId) ? guideText(ruleId, locale).fix : null);

/** Complete document with an example of a rule; null for an unknown rule. */
export function exampleDocument(id: string, kind: ExampleKind, locale: Locale): string | null {
  const rule = allRules().get(id);
  if (!rule) return null;
  const example = guideText(id, locale)[kind];
  if (/^<!doctype|^<html/i.test(example)) return example;
  const title = textOf(rule, locale, "help").text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<!doctype html>\n<html lang="${locale}">\n<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>\n<body>\n${example}\n</body>\n</html>\n`;
}

/** All success criteria of WCAG 2.2, in order, with the rules that test them. */
export function coveredCriteria(locale: Locale): CoveredCriterion[] {
  const rules = [...allRules().values()].map((rule) => ({ numbers: criteriaOf(rule.tags), line: lineOf(rule, locale) }));
  return criteriaOfStandard({ version: "2.2", level: "AAA" }).map(({ number, level }) => {
    const testing = rules.filter(({ numbers }) => numbers.includes(number)).map(({ line }) => line);
    return { number, level, name: criterionName(number, locale), coverage: coverageOf(testing), rules: testing };
  });
}

function coverageOf(rules: RuleLine[]): CriterionCoverage {
  if (rules.length === 0) return "none";
  return rules.every((rule) => rule.asksOnly) ? "questions" : "partly";
}

function lineOf(rule: ListedRule, locale: Locale): RuleLine {
  const { id, source, isAdvanced, tags } = rule;
  return { id, source, isAdvanced, level: levelOf(tags), help: textOf(rule, locale, "help"), asksOnly: rule.asksOnly || asksOnly(id) };
}

function textOf({ id, help }: ListedRule, locale: Locale, part: "help" | "description"): LocalText {
  const text = ruleText(id, locale);
  const { lang, ...texts } = text ?? { help, description: help, lang: "en" };
  // Some names of axe-core end with a full stop.
  return { text: part === "help" ? texts.help.replace(/\.$/, "") : texts.description, lang };
}

/** @throws {Error} if the rule has no text; a test finds such a rule */
function guideText(id: string, locale: Locale): GuideText {
  const guides: Record<string, GuideText> = textFile(locale, "guides");
  const guide = guides[id];
  if (!guide) throw new Error(`The rule ${id} has no guide.`);
  return guide;
}

const clauseOf = (number: string) => criteriaOfStandard({ version: "2.2", level: "AAA" }).find((each) => each.number === number)?.clause ?? null;

function sourcesOf({ id, source, tags, actIds }: ListedRule): RuleGuide["sources"] {
  const names: Record<string, string> = textFile("en", "criteria");
  return [
    ...criteriaOf(tags).map((number) => ({ name: `W3C, Understanding ${number}`, href: understandingUrl(names[number] ?? "") })),
    ...actIds.map((act) => ({ name: `W3C, ACT Rule ${act}`, href: `https://www.w3.org/WAI/standards-guidelines/act/rules/${act}/` })),
    ...(source === "axe" ? [{ name: `Deque, ${id}`, href: `https://dequeuniversity.com/rules/axe/latest/${id}` }] : []),
  ];
}
