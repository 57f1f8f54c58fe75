import { sql } from "kysely";
import { jsonListOf } from "db/dialect";
import type { Db } from "db/schema";
import type { PageStatus } from "db/tables/runs";
import {
  CATEGORIES,
  IMPACTS,
  type Category,
  type FindingResult,
  type Reason,
  type ShownIn,
  type StageTime,
} from "~/scan/types";
import { createAcceptances, type Acceptances } from "~/findings/acceptance/acceptances.server";
import type { AcceptedInRun } from "~/findings/acceptance/accepted-findings.server";
import { impactRank, worseImpact, worstFirst } from "~/scan/impact";
import { isPartlyChecked, toPage } from "~/runs/page.server";
import { unfinishedOn } from "./coverage.server";
import { createReportElements } from "./report-elements.server";
import { listsElements } from "./report-view";

/** Result of a rule in one category over all pages of a run. */
export interface RuleResult extends Omit<FindingResult, "elementCount" | "elements" | "conditions"> {
  category: Category;
  /** Conditions in which the rule had this outcome on any page; null for the only condition of the rule. */
  conditions: (ShownIn | null)[];
  /** Number of pages with this result. */
  pages: number;
  /** Number of affected elements, including those that are not stored; without accepted ones. */
  elements: number;
  /** Number of accepted elements; no other number includes them. */
  accepted?: number;
  /** Passed in part: the rule also has violations, or elements to review. */
  isMixed?: boolean;
}

export interface PageSummary {
  id: number;
  url: string;
  finalUrl: string | null;
  linkedFrom: string | null;
  title: string;
  lang: string;
  status: PageStatus;
  reason: Reason | null;
  httpStatus: number | null;
  durationMs: number | null;
  stages: StageTime[];
  /** Whether a part of the page was not checked. */
  isPartly: boolean;
  /** Number of rules that ran out of time. */
  partial: number;
  /** Numbers of violated rules, of their elements, and of rules to review. */
  violations: number;
  elements: number;
  incomplete: number;
}

export type Reports = ReturnType<typeof createReports>;

/** Combined findings of a run of many pages. The caller has already found the run for its viewer. */
export function createReports({ db, acceptances = createAcceptances({ db }) }: { db: Db; acceptances?: Pick<Acceptances, "ofRun" | "isUnknownIn"> }) {
  return { ...createReportElements({ db, acceptances }), rules, allRules, foundRules, unfinishedRules, pagesOf, pages, page, isAcceptedUnknown: acceptances.isUnknownIn };

  /**
   * Each rule once in each category, the most important first; without accepted elements, and without rules that have only accepted ones.
   * @param pageId only of this page
   */
  async function rules(runId: string, of: { pageId?: number } = {}): Promise<RuleResult[]> {
    return (await allRules(runId, of)).filter(isOpen);
  }

  /** Includes rules whose elements are all accepted: they have no elements, and no pages. */
  function allRules(runId: string, of: { pageId?: number } = {}): Promise<RuleResult[]> {
    return foundRules(runId, { ...of, accepted: acceptances.ofRun(runId) });
  }

  /** All findings, ignoring reviews. @param accepted subtracted from the counts */
  async function foundRules(runId: string, { pageId, accepted }: { pageId?: number; accepted?: Promise<AcceptedInRun> } = {}): Promise<RuleResult[]> {
    let query = db
      .selectFrom("page")
      .innerJoin("finding", "finding.page_id", "page.id")
      .where("page.run_id", "=", runId);
    if (pageId !== undefined) query = query.where("page.id", "=", pageId);
    const sums = query
      .select(["finding.category", "finding.rule_id as rule"])
      .select((eb) => [
        eb.fn.countAll<number>().as("pages"),
        eb.fn.sum<number>("finding.element_count").as("elements"),
        worst.as("worst"),
        jsonListOf(db, sql`coalesce(finding.conditions, 'null')`).as("conditions"),
      ])
      .groupBy(["finding.category", "finding.rule_id"]);
    const rows = await db
      .selectFrom(sums.as("sums"))
      .innerJoin("rule", "rule.id", "sums.rule")
      .selectAll("sums")
      .select(["rule.rule_id", "rule.source", "rule.tags", "rule.help", "rule.description", "rule.help_url"])
      .orderBy("sums.category")
      .orderBy("sums.rule")
      .execute();
    const results = new Map<string, RuleResult>();
    for (const row of rows) {
      const key = `${row.category} ${row.source} ${row.rule_id}`;
      const known = results.get(key);
      const impact = IMPACTS[row.worst] ?? null;
      // After an update during a run, a rule has one row per engine version.
      results.set(key, {
        category: row.category,
        ruleId: row.rule_id,
        source: row.source,
        impact: known ? worseImpact(known.impact, impact) : impact,
        tags: JSON.parse(row.tags) as string[],
        help: row.help,
        description: row.description,
        helpUrl: row.help_url,
        pages: row.pages + (known?.pages ?? 0),
        elements: row.elements + (known?.elements ?? 0),
        conditions: [...new Set([...(known?.conditions ?? []), ...(JSON.parse(row.conditions) as string[]).flatMap(namedIn)])],
      });
    }
    if (accepted) takeAccepted(results, await accepted, pageId);
    const all = [...results.values()];
    const notPassed = new Set(all.filter(({ category }) => listsElements(category)).map(({ ruleId }) => ruleId));
    for (const rule of all) if (rule.category === "passes" && notPassed.has(rule.ruleId)) rule.isMixed = true;
    return all.sort(mostImportantFirst);
  }

  /** Ids of the rules that did not finish on at least one page. */
  async function unfinishedRules(runId: string): Promise<string[]> {
    const rows = await db.selectFrom("page").select("partial").distinct().where("run_id", "=", runId).where("partial", "is not", null).execute();
    return unfinishedOn(rows.map(({ partial }) => ({ partial: JSON.parse(partial ?? "[]") as string[] })));
  }

  /** Number of pages on which a rule is violated, accepted or not. */
  async function pagesOf(runId: string, ruleId: string): Promise<number> {
    const { pages: count } = await db
      .selectFrom("page")
      .innerJoin("finding", "finding.page_id", "page.id")
      .innerJoin("rule", "rule.id", "finding.rule_id")
      .select((eb) => eb.fn.countAll<number>().as("pages"))
      .where("page.run_id", "=", runId)
      .where("finding.category", "=", "violations")
      .where("rule.rule_id", "=", ruleId)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Pages of a run in the order of checking, from a position on. */
  async function pages(
    runId: string,
    { after = -1, limit, failedOnly = false }: { after?: number; limit: number; failedOnly?: boolean },
  ): Promise<{ pages: PageSummary[]; next: number | null }> {
    const query = db.selectFrom("page").selectAll().where("run_id", "=", runId).where("position", ">", after).orderBy("position");
    // Gaps of a page are in many fields: filtered here, not in the database.
    const found = failedOnly ? (await query.execute()).map(toPage).filter((page) => page.status === "failed" || isPartlyChecked(page)) : (await query.limit(limit + 1).execute()).map(toPage);
    const shown = found.slice(0, limit);
    const counts = await countsOf(shown.map(({ id }) => id), await acceptances.ofRun(runId));
    return {
      pages: shown.map((page) => {
        const { id, url, finalUrl, linkedFrom, title, lang, status, reason, httpStatus, durationMs, stages, partial } = page;
        return {
          ...{ id, url, finalUrl, linkedFrom, title, lang, status, reason, httpStatus, durationMs, stages },
          isPartly: isPartlyChecked(page),
          partial: partial.length,
          ...(counts.get(id) ?? { violations: 0, elements: 0, incomplete: 0 }),
        };
      }),
      next: found.length > limit ? (shown.at(-1)?.position ?? null) : null,
    };
  }

  async function page(
    runId: string,
    pageId: number,
  ): Promise<Pick<PageSummary, "id" | "url" | "finalUrl" | "lang" | "status" | "reason" | "httpStatus"> | undefined> {
    return db
      .selectFrom("page")
      .select(["id", "url", "final_url as finalUrl", "status", "reason", "http_status as httpStatus"])
      .select((eb) => eb.fn.coalesce("lang", eb.val("")).as("lang"))
      .where("run_id", "=", runId)
      .where("id", "=", pageId)
      .executeTakeFirst();
  }

  async function countsOf(pageIds: number[], accepted: AcceptedInRun) {
    if (pageIds.length === 0) return new Map<number, { violations: number; elements: number; incomplete: number }>();
    const rows = await db
      .selectFrom("finding")
      .select(["page_id", "category"])
      .select((eb) => [eb.fn.countAll<number>().as("rules"), eb.fn.sum<number>("element_count").as("elements")])
      .where("page_id", "in", pageIds)
      .where("category", "in", ["violations", "incomplete"])
      .groupBy(["page_id", "category"])
      .execute();
    const of = (id: number, category: Category) => rows.find((row) => row.page_id === id && row.category === category);
    const taken = (id: number) => accepted.findings.filter((finding) => finding.pageId === id);
    return new Map(
      pageIds.map((id) => [
        id,
        {
          violations: (of(id, "violations")?.rules ?? 0) - taken(id).filter((finding) => finding.accepted === finding.elements).length,
          elements: taken(id).reduce((sum, finding) => sum - finding.accepted, of(id, "violations")?.elements ?? 0),
          incomplete: of(id, "incomplete")?.rules ?? 0,
        },
      ]),
    );
  }

}

/** Violations whose elements are all accepted are not open. */
export const isOpen = ({ category, elements, accepted = 0 }: RuleResult) => category !== "violations" || elements > 0 || accepted === 0;

function takeAccepted(results: Map<string, RuleResult>, { findings }: AcceptedInRun, pageId: number | undefined): void {
  for (const rule of results.values()) {
    if (rule.category !== "violations") continue;
    const taken = findings.filter((finding) => finding.ruleId === rule.ruleId && (pageId === undefined || finding.pageId === pageId));
    if (taken.length === 0) continue;
    rule.accepted = taken.reduce((sum, { accepted }) => sum + accepted, 0);
    rule.elements -= rule.accepted;
    rule.pages -= taken.filter(({ accepted, elements }) => accepted === elements).length;
  }
}

const worst = sql<number>`min(case finding.impact ${sql.join(
  IMPACTS.map((impact) => sql`when ${sql.lit(impact)} then ${sql.lit(impactRank(impact))}`),
  sql` `,
)} else ${sql.lit(impactRank(null))} end)`;

function namedIn(conditions: string): (ShownIn | null)[] {
  return (JSON.parse(conditions) as ShownIn[] | null) ?? [null];
}

/** Order by category, then by impact, then by reach: elements times pages. */
function mostImportantFirst(one: RuleResult, other: RuleResult): number {
  return CATEGORIES.indexOf(one.category) - CATEGORIES.indexOf(other.category) || worstWithinCategory(one, other);
}

const worstWithinCategory = worstFirst<RuleResult>((one, other) => other.elements * other.pages - one.elements * one.pages || (one.ruleId < other.ruleId ? -1 : 1));
