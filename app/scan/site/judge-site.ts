import type { CrawlFacts } from "~/scan/crawl/facts";
import type { RuleMessages, RuleTexts } from "~/scan/rule-texts";
import { isAsked } from "~/scan/rules/axe-options";
import { SITE_RULES } from "~/scan/rules/rampe/site/index";
import { tagsOfRule } from "~/scan/rules/rampe/page-rule";
import { understandingUrl } from "~/scan/rules/rampe/understanding-url";
import { CATEGORIES, type Category, type CheckedPage, type ElementResult, type FindingResult, type PageResult, type Reason, type RuleChoice, type Standard } from "~/scan/types";
import { FACT_LIMITS, type SiteFacts } from "./site-facts";
import type { DeadAddress, ScannedSite, SiteFault, SitePage, SiteRule } from "./site-rule";

/** Maximum number of compared pages: facts of more would need too much memory. */
export const MOST_COMPARED_PAGES = 2_000;
/** Maximum number of faults per rule; more add nothing new about the site. */
const MOST_FAULTS = 20;

interface SiteJudgementOptions {
  standard: Standard;
  rules?: RuleChoice;
  /** English texts. */
  texts: RuleTexts;
}

/** Findings about a site to add to its pages, by the requested address. */
export type SiteFindings = Map<string, Record<Category, FindingResult[]>>;

/** Facts of a checked page for the rules. */
export type ComparedPage = Pick<CheckedPage, "url" | "finalUrl" | "title" | "lang"> & { facts: SiteFacts };

/** Facts of a site for the rules. */
export interface ComparedSite {
  /** Pages in the order of checking. */
  pages: ComparedPage[];
  dead: DeadAddress[];
}

/** Facts of a page; undefined if it could not be checked, or did not respond. */
export function comparedPage(result: PageResult): ComparedPage | undefined {
  if (result.status === "failed" || !result.facts) return undefined;
  const { url, finalUrl, title, lang, facts } = result;
  return { url, finalUrl, title, lang, facts };
}

/**
 * Dead address; undefined for a temporary failure, such as an error of the server.
 * @param url requested address
 */
export function deadAddress(url: string, reason: Reason, httpStatus?: number | null): DeadAddress | undefined {
  if (reason === "dns") return { url, why: "host" };
  return reason === "http_status" && (httpStatus === 404 || httpStatus === 410) ? { url, why: httpStatus } : undefined;
}

/** A page together with the findings about its site that are reported on it. */
export function withSiteFindings(page: PageResult, found: SiteFindings): PageResult {
  const more = found.get(page.url);
  if (page.status === "failed" || !more) return page;
  const findings = Object.fromEntries(CATEGORIES.map((category) => [category, [...page.findings[category], ...more[category]]]));
  return { ...page, findings: findings as CheckedPage["findings"] };
}

/** Is any rule about whole sites requested? */
export const hasSiteRules = (standard: Standard, rules?: RuleChoice): boolean => askedRules(standard, rules).length > 0;

/**
 * Judges a crawled site. Each fault is reported once, on the first page that shows it; a rule without faults is reported on the
 * first page.
 * @param crawled facts at the end of the crawl
 */
export function judgeSite(compared: ComparedSite, crawled: CrawlFacts, { standard, rules, texts }: SiteJudgementOptions): SiteFindings {
  const found: SiteFindings = new Map();
  const site = siteOf(compared, crawled);
  const [first] = site.pages;
  if (!first) return found;
  for (const rule of askedRules(standard, rules)) {
    const { compared: count, faults } = rule.judge(site);
    for (const fault of faults.slice(0, MOST_FAULTS)) addFault(rule, fault);
    if (faults.length === 0) add(first, count > 0 ? "passes" : "inapplicable", { ...describe(rule, texts), impact: null, elementCount: count });
  }
  return found;

  function addFault(rule: SiteRule, { page, element, outcome }: SiteFault): void {
    const [category, key, messages] = "fails" in outcome ? (["violations", outcome.fails, "fail"] as const) : (["incomplete", outcome.asks, "incomplete"] as const);
    const message = fill(texts.checks[rule.id]?.[messages], key, outcome.data);
    const result: ElementResult = {
      target: [element.selector],
      html: element.html,
      htmlCut: element.html.length >= FACT_LIMITS.htmlCharacters,
      impact: rule.impact,
      checks: [{ group: "any", id: rule.id, data: { messageKey: key, ...outcome.data }, message }],
    };
    const known = found.get(page.url)?.[category].find(({ ruleId }) => ruleId === rule.id);
    if (!known) return add(page, category, { ...describe(rule, texts), impact: rule.impact, elementCount: 1, elements: [result] });
    known.elements.push(result);
    known.elementCount += 1;
  }

  function add({ url }: SitePage, category: Category, finding: FindingResult): void {
    const findings = found.get(url) ?? { violations: [], incomplete: [], passes: [], inapplicable: [] };
    findings[category].push(finding);
    found.set(url, findings);
  }
}

const askedRules = (standard: Standard, rules?: RuleChoice): SiteRule[] => SITE_RULES.filter((rule) => isAsked(rule, standard, rules));

function siteOf(compared: ComparedSite, { pages: checked, limited, waiting, stopped, timeLimit, disallowed }: CrawlFacts): ScannedSite {
  const pages = compared.pages.slice(0, MOST_COMPARED_PAGES).map(({ url, finalUrl, title, lang, facts }) => {
    return { ...facts, url, finalUrl, title, language: lang.split(/[-_]/)[0]?.toLowerCase() ?? "" };
  });
  return { pages, dead: compared.dead, isWhole: !limited && waiting === 0 && !stopped && timeLimit === undefined && disallowed === 0 && pages.length === checked };
}

/** @throws {Error} if the rule has no text */
function describe(rule: SiteRule, { rules, criteria }: RuleTexts): Omit<FindingResult, "impact" | "elementCount"> {
  const text = rules[rule.id];
  if (!text) throw new Error(`The rule ${rule.id} has no text.`);
  return { ruleId: rule.id, source: "rampe", tags: tagsOfRule(rule), ...text, helpUrl: understandingUrl(criteria[rule.criteria[0] ?? ""] ?? ""), elements: [] };
}

/** Inserts data into a message, same as axe-core. @throws {Error} if the rule has no such message */
function fill(messages: RuleMessages["fail"], key: string, data: Record<string, string | number>): string {
  const template = messages?.[key];
  if (template === undefined) throw new Error(`There is no message ${key}.`);
  return template.replace(/\$\{data\.(\w+)\}/g, (_, name: string) => String(data[name] ?? ""));
}
