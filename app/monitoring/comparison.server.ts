import { setImmediate as breathe } from "node:timers/promises";
import { SITE_RULES } from "~/scan/rules/rampe/site/index";
import type { Selectable } from "kysely";
import type { Db } from "db/schema";
import type { RuleTable } from "db/tables/findings";
import type { PageTable } from "db/tables/runs";
import { compareRule, type ChangeKind, type Side, type SideState } from "./compare";
import type { AcceptanceReader, Acceptances } from "~/findings/acceptance/acceptances.server";
import { conditionsIn } from "~/findings/finding.server";
import { identityOf } from "~/findings/fingerprint.server";
import { ruleKey } from "~/findings/rules/rule-key";
import { createComparisonSummary, type ChangedElement, type RuleChanges, type RuleFacts } from "./comparison-summary";
import { CONDITIONS, type ElementResult, type Gaps, type Impact, type ShownIn } from "~/scan/types";
import type { Run } from "~/runs/run";

/** Number of pages that are read and compared in one step; other requests run between steps. */
const PAGES_PER_STEP = 5;

/** Conditions that only the advanced analyses try. */
const TRIED_CONDITIONS: ReadonlySet<ShownIn> = new Set(CONDITIONS);
const OPENED: ReadonlySet<ShownIn> = new Set(["opened"]);
const NO_CONDITIONS: ReadonlySet<ShownIn> = new Set();

/** Page that could not be compared, or only in part. */
interface PageDifference {
  url: string;
  before: SideState;
  now: SideState;
}

export interface RunComparison {
  before: Run;
  now: Run;
  /** Violated rules of either run, the most important first. */
  rules: RuleChanges[];
  /** Totals of all rules. */
  totals: Record<ChangeKind, number>;
  pages: PageDifference[];
  /** Number of accepted elements in the later run; no other number includes them. */
  accepted: number;
}

interface ComparedPage {
  id: number;
  url: string;
  finalUrl: string | null;
  state: SideState;
  /** Rules that ran out of time. */
  partial: string[];
  lacksFrames: boolean;
  unseen: Side<ChangedElement>["unseen"];
}

/** Rules by `ruleKey`. */
interface PageFindings {
  /** Rules with any result on the page. */
  asked: Set<string>;
  violated: Map<string, { count: number; impact: Impact | null; elements: ChangedElement[] }>;
}

/**
 * Compares the violations of two finished runs, page by page and rule by rule; a few pages at a time, so that sites with
 * tens of thousands of elements do not block other requests.
 */
export async function compareRuns(db: Db, acceptances: Pick<Acceptances, "readerOf">, before: Run, now: Run): Promise<RunComparison> {
  const accepted = await acceptances.readerOf(now);
  const [earlier, later] = [await pagesOf(db, before), await pagesOf(db, now)];
  const rules = await violatedRules(db, [before.id, now.id]);
  const [earlierJudged, laterJudged] = [await siteRulesOf(db, before.id), await siteRulesOf(db, now.id)];
  const urls = [...new Set([...later.keys(), ...earlier.keys()])];
  const sum = createComparisonSummary();

  for (let start = 0; start < urls.length; start += PAGES_PER_STEP) {
    const step = urls.slice(start, start + PAGES_PER_STEP).map((url) => [earlier.get(url), later.get(url)] as const);
    const findings = await findingsOf(db, step.flat().flatMap((page) => page ?? []), rules, accepted);
    for (const [page, other] of step) comparePage(page, other);
    await breathe();

    function comparePage(page: ComparedPage | undefined, other: ComparedPage | undefined): void {
      const of = (side: ComparedPage | undefined) => side && findings.get(side.id);
      const violated = [...(of(other)?.violated ?? []), ...(of(page)?.violated ?? [])];
      for (const key of new Set(violated.map(([each]) => each))) {
        const rule = factsOf(rules, key);
        const sides = [sideOf(page, of(page), key, rule, earlierJudged), sideOf(other, of(other), key, rule, laterJudged)] as const;
        const impacts = violated.flatMap(([each, { impact }]) => (each === key ? [impact] : []));
        sum.add(rule, impacts, compareRule(...sides));
      }
    }
  }

  const pages = urls.map((url) => ({
    url,
    before: earlier.get(url)?.state ?? ("missing" as const),
    now: later.get(url)?.state ?? ("missing" as const),
  }));
  return {
    before,
    now,
    ...sum.total(),
    accepted: now.stats.accepted,
    pages: pages.filter((page) => page.before !== "checked" || page.now !== "checked"),
  };
}

/**
 * @param key `ruleKey` of the rule
 * @param judged site-wide rules that the run has tested
 */
function sideOf(page: ComparedPage | undefined, findings: PageFindings | undefined, key: string, { ruleId }: RuleFacts, judged: Set<string>): Side<ChangedElement> {
  const { count = 0, elements = [] } = findings?.violated.get(key) ?? {};
  const isAsked = judged.has(key) || findings?.asked.has(key) === true;
  const state = page?.state === "checked" && page.partial.includes(ruleId) ? "partial" : stateOf(page, isAsked);
  return { state, lacksFrames: page?.lacksFrames ?? false, unseen: page?.unseen ?? NO_CONDITIONS, elements, count };
}

function stateOf(page: ComparedPage | undefined, isAsked: boolean): SideState {
  if (!page) return "missing";
  if (page.state !== "checked") return page.state;
  return isAsked ? "checked" : "not_run";
}

/** Site-wide rules by `ruleKey`. Their result is stored with one page, and is about all pages. */
async function siteRulesOf(db: Db, runId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom("page")
    .innerJoin("finding", "finding.page_id", "page.id")
    .innerJoin("rule", "rule.id", "finding.rule_id")
    .select(["rule.source", "rule.rule_id"])
    .distinct()
    .where("page.run_id", "=", runId)
    .where("rule.rule_id", "in", SITE_RULES.map(({ id }) => id))
    .execute();
  return new Set(rows.map(keyOf));
}

/** Pages by address. */
async function pagesOf(db: Db, { id: runId, isAdvanced }: Run): Promise<Map<string, ComparedPage>> {
  const rows = await db
    .selectFrom("page")
    .select(["id", "url", "final_url", "status", "partial", "gaps"])
    .where("run_id", "=", runId)
    .orderBy("position")
    .execute();
  return new Map(rows.map((row) => [row.url, toComparedPage(row, isAdvanced)]));
}

type PageRow = Pick<Selectable<PageTable>, "id" | "url" | "final_url" | "status" | "partial" | "gaps">;

function toComparedPage({ id, url, final_url: finalUrl, status, partial, gaps }: PageRow, isAdvanced: boolean): ComparedPage {
  const { frames = [], unopened, unfinished, concealed, late = [], missing } = gaps === null ? ({} as Partial<Gaps>) : (JSON.parse(gaps) as Partial<Gaps>);
  // `moving` and `connection` do not make a page partial: the run checked its complete state at that time.
  const isWhole = !unfinished && !concealed && !missing && late.every((why) => why === "moving" || why === "connection");
  return {
    id,
    url,
    finalUrl,
    state: status !== "succeeded" ? "failed" : isWhole ? "checked" : "partial",
    partial: partial === null ? [] : (JSON.parse(partial) as string[]),
    lacksFrames: frames.length > 0,
    unseen: unseenIn(isAdvanced, unopened),
  };
}

/** Conditions without a complete check. @param unopened number of unused controls that may open something; undefined if none were searched */
function unseenIn(isAdvanced: boolean, unopened: number | undefined): ReadonlySet<ShownIn> {
  if (!isAdvanced) return TRIED_CONDITIONS;
  return unopened === undefined || unopened > 0 ? OPENED : NO_CONDITIONS;
}

type RuleRow = Pick<Selectable<RuleTable>, "id" | "source" | "rule_id" | "tags" | "help" | "description" | "help_url">;

/** Rules violated in either run, in every version of the engine. */
async function violatedRules(db: Db, runIds: string[]): Promise<RuleRow[]> {
  return db
    .selectFrom("rule")
    .select(["id", "source", "rule_id", "tags", "help", "description", "help_url"])
    .where("rule_id", "in", (eb) =>
      eb
        .selectFrom("page")
        .innerJoin("finding", "finding.page_id", "page.id")
        .innerJoin("rule", "rule.id", "finding.rule_id")
        .select("rule.rule_id")
        .where("page.run_id", "in", runIds)
        .where("finding.category", "=", "violations"),
    )
    .orderBy("id", "desc")
    .execute();
}

const keyOf = ({ source, rule_id: ruleId }: Pick<RuleRow, "source" | "rule_id">) => ruleKey({ source, ruleId });

/** Facts about a rule, in the texts of the latest version. */
function factsOf(rules: RuleRow[], key: string): RuleFacts {
  const row = rules.find((rule) => keyOf(rule) === key);
  const ruleId = row?.rule_id ?? key;
  return {
    ruleId,
    tags: row ? (JSON.parse(row.tags) as string[]) : [],
    help: row?.help ?? ruleId,
    description: row?.description ?? "",
    helpUrl: row?.help_url ?? "",
  };
}

/** Findings by page, without accepted ones. */
async function findingsOf(db: Db, pages: ComparedPage[], rules: RuleRow[], accepted: AcceptanceReader): Promise<Map<number, PageFindings>> {
  const found = new Map<number, PageFindings>();
  for (const { id } of pages) found.set(id, { asked: new Set(), violated: new Map() });
  if (pages.length === 0 || rules.length === 0) return found;
  const [ids, byId] = [pages.map(({ id }) => id), new Map(pages.map((page) => [page.id, page]))];
  const keys = new Map(rules.map((rule) => [rule.id, keyOf(rule)]));
  const isWhole = new Set(rules.filter(({ source, rule_id: ruleId }) => accepted.ofRule({ source, ruleId })).map(keyOf));
  const findings = await db
    .selectFrom("finding")
    .selectAll()
    .where("page_id", "in", ids)
    .where("rule_id", "in", [...keys.keys()])
    .execute();
  for (const { page_id, category, rule_id, impact, element_count } of findings) {
    const rule = keys.get(rule_id) ?? "";
    found.get(page_id)?.asked.add(rule);
    if (category === "violations" && !isWhole.has(rule)) found.get(page_id)?.violated.set(rule, { count: element_count, impact, elements: [] });
  }
  const elements = await db
    .selectFrom("element")
    .innerJoin("rule", "rule.id", "element.rule_id")
    .select(["element.page_id", "element.rule_id", "element.position", "element.target", "element.html", "element.html_cut", "element.place", "rule.source", "rule.rule_id as ruleId"])
    .where("page_id", "in", ids)
    .where("category", "=", "violations")
    .orderBy("element.page_id")
    .orderBy("element.rule_id")
    .orderBy("element.position")
    .execute();
  for (const row of elements) {
    const element = toChangedElement(row, byId.get(row.page_id));
    const rule = keys.get(row.rule_id) ?? "";
    const violated = found.get(row.page_id)?.violated;
    const finding = violated?.get(rule);
    if (!finding) continue;
    if (!accepted.ofElement({ pageUrl: element.pageUrl, rule: row, element })) finding.elements.push(element);
    else if (finding.count > 1) finding.count -= 1;
    else violated?.delete(rule);
  }
  return found;
}

interface ElementRow {
  page_id: number;
  position: number;
  target: string;
  html: string;
  html_cut: 0 | 1;
  place: string | null;
}

function toChangedElement({ page_id, position, target, html, html_cut, place }: ElementRow, page: ComparedPage | undefined): ChangedElement {
  const steps = JSON.parse(target) as ElementResult["target"];
  return {
    identity: identityOf({ html, target: steps }),
    inFrame: steps.length > 1,
    conditions: conditionsIn(place) ?? [],
    pageId: page_id,
    pageUrl: page?.url ?? "",
    pageFinalUrl: page?.finalUrl ?? null,
    position,
    target: steps,
    html,
    htmlCut: html_cut === 1,
  };
}
