import { sql } from "kysely";
import type { Db, PageStatus } from "db/schema";
import {
  type ElementResult,
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
import { componentKey } from "~/findings/component-key.server";
import { MAX_STORED_ELEMENTS, toElement, type StoredElement } from "~/findings/finding.server";
import { impactRank, worseImpact } from "~/scan/impact";

/** A rule's result in one category over all pages of a run. */
import { listsElements } from "./report-view";

export interface RuleResult extends Omit<FindingResult, "elementCount" | "elements" | "conditions"> {
  category: Category;
  /** In which the rule had this outcome on any page; null for the one condition of the rule. */
  conditions: (ShownIn | null)[];
  /** Pages with it. */
  pages: number;
  /** All affected elements, including those that are not stored; without accepted ones. */
  elements: number;
  /** Accepted elements, which are in no other number. */
  accepted?: number;
  /** Passed, but not everywhere: the rule has violations, or something to review, too. */
  isMixed?: boolean;
}

/** An element, and where it is stored. */
export interface ElementLocation extends StoredElement {
  pageId: number;
  pageUrl: string;
  /** The address after redirects. */
  pageFinalUrl: string | null;
  pageTitle: string;
  pageLang: string;
  /** In its finding on its page, from 0. */
  position: number;
}

/** Where an element is stored. */
type PlaceKey = Pick<ElementLocation, "pageId" | "position">;

/** Elements with similar source: probably one component. */
export interface LocationGroup {
  elements: number;
  pages: number;
  /** The first ones. */
  locations: ElementLocation[];
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
  /** Rules that ran out of time. */
  partial: number;
  /** Violated rules, their elements, and rules that need review. */
  violations: number;
  elements: number;
  incomplete: number;
}

const SHOWN_LOCATIONS = 5;

export type Reports = ReturnType<typeof createReports>;

/** Combined findings of a run of many pages. The caller has already found the run for its viewer. */
export function createReports({ db, acceptances = createAcceptances({ db }) }: { db: Db; acceptances?: Pick<Acceptances, "ofRun"> }) {
  return { rules, allRules, foundRules, pagesOf, alike, locationsOf, placesOf, location, violationAt, neighboursOf, pages, page, rulesWithText };

  /**
   * Each rule once in each category, the most important first; without accepted elements, and without rules that have no others.
   * @param pageId of one page alone
   */
  async function rules(runId: string, of: { pageId?: number } = {}): Promise<RuleResult[]> {
    return (await allRules(runId, of)).filter(isOpen);
  }

  /** The same, with rules of which all elements are accepted: they have no elements, and no pages. */
  function allRules(runId: string, of: { pageId?: number } = {}): Promise<RuleResult[]> {
    return foundRules(runId, { ...of, accepted: acceptances.ofRun(runId) });
  }

  /** All that was found, whatever people say of it. @param accepted is taken off */
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
        sql<string>`json_group_array(distinct coalesce(finding.conditions, 'null'))`.as("conditions"),
      ])
      .groupBy(["finding.category", "finding.rule_id"]);
    const rows = await db
      .selectFrom(sums.as("sums"))
      .innerJoin("rule", "rule.id", "sums.rule")
      .selectAll("sums")
      .select(["rule.rule_id", "rule.source", "rule.tags", "rule.help", "rule.description", "rule.help_url"])
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

  /** The rules of a category with an element whose source or selector contains a text. */
  async function rulesWithText(runId: string, category: Category, text: string): Promise<Set<string>> {
    // Selectors are stored as JSON. SQLite lower-cases ASCII only: use it for both sides.
    const inSelector = JSON.stringify(text).slice(1, -1);
    const rows = await elementsOf(runId, category)
      .select("rule.rule_id")
      .distinct()
      .where(
        sql<boolean>`(instr(lower(element.html), lower(${text})) > 0 or instr(lower(element.target), lower(${inSelector})) > 0)`,
      )
      .execute();
    return new Set(rows.map(({ rule_id }) => rule_id));
  }

  /** A rule's elements, grouped by appearance, the most frequent group first. */
  async function locationsOf(
    runId: string,
    { category, ruleId, pageId, offset, limit }: { category: Category; ruleId: string; pageId?: number; offset: number; limit: number },
  ): Promise<{ groups: LocationGroup[]; total: number; stored: number }> {
    let elements = openElementsOf(runId, category, ruleId, await acceptances.ofRun(runId));
    if (pageId !== undefined) elements = elements.where("page.id", "=", pageId);
    const grouped = await elements
      .select(kindOf.as("kind"))
      .select((eb) => [
        eb.fn.countAll<number>().as("elements"),
        eb.fn.count<number>("element.page_id").distinct().as("pages"),
        sql<number>`min(page.position)`.as("first"),
      ])
      .groupBy("kind")
      .orderBy("elements", "desc")
      .orderBy("first")
      .orderBy("kind")
      .execute();
    const shown = grouped.slice(offset, offset + limit);
    const locations = await firstLocations(elements, shown.map(({ kind }) => kind));
    return {
      groups: shown.map((group) => ({
        elements: group.elements,
        pages: group.pages,
        locations: locations.filter(({ kind }) => kind === group.kind).map(({ location }) => location),
      })),
      total: grouped.length,
      stored: grouped.reduce((sum, group) => sum + group.elements, 0),
    };
  }

  async function firstLocations(elements: ReturnType<typeof elementsOf>, kinds: string[]): Promise<{ kind: string; location: ElementLocation }[]> {
    if (kinds.length === 0) return [];
    const numbered = elements
      .selectAll("element")
      .select(PAGE_COLUMNS)
      .select(
        sql<number>`row_number() over (partition by ${kindOf} order by page.position, element.position)`.as("nth"),
      )
      .select(kindOf.as("kind"))
      .where(kindOf, "in", kinds);
    const rows = await db
      .selectFrom(numbered.as("numbered"))
      .selectAll()
      .where("nth", "<=", SHOWN_LOCATIONS)
      .orderBy("nth")
      .execute();
    return rows.map((row) => ({ kind: row.kind, location: toLocation(row) }));
  }

  /** A rule's elements one by one, without accepted ones, in the order of pages and of their findings. @param offset from 0 */
  async function placesOf(
    runId: string,
    { category, ruleId, pageId, offset, limit }: { category: Category; ruleId: string; pageId?: number; offset: number; limit: number },
  ): Promise<{ places: ElementLocation[]; total: number }> {
    let elements = openElementsOf(runId, category, ruleId, await acceptances.ofRun(runId));
    if (pageId !== undefined) elements = elements.where("page.id", "=", pageId);
    const { total } = await elements.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
    const rows = await elements
      .selectAll("element")
      .select(PAGE_COLUMNS)
      .orderBy("page.position")
      .orderBy("element.position")
      .offset(offset)
      .limit(limit)
      .execute();
    return { places: rows.map(toLocation), total };
  }

  /** The places before and after one of `placesOf`, and its number among all, from 1. */
  async function neighboursOf(
    runId: string,
    at: { category: Category; ruleId: string; pageId: number; position: number },
  ): Promise<{ previous: PlaceKey | null; next: PlaceKey | null; number: number; total: number }> {
    const elements = openElementsOf(runId, at.category, at.ruleId, await acceptances.ofRun(runId));
    const ofPage = db.selectFrom("page").select("page.position").where("page.id", "=", at.pageId);
    const keys = elements.select(["element.page_id as pageId", "element.position"]).limit(1);
    const before = sql<boolean>`(page.position, element.position) < (${ofPage}, ${at.position})`;
    const after = sql<boolean>`(page.position, element.position) > (${ofPage}, ${at.position})`;
    const [previous, next, counts] = await Promise.all([
      keys.where(before).orderBy("page.position", "desc").orderBy("element.position", "desc").executeTakeFirst(),
      keys.where(after).orderBy("page.position").orderBy("element.position").executeTakeFirst(),
      elements.select((eb) => [eb.fn.countAll<number>().as("total"), sql<number>`coalesce(sum(${before}), 0)`.as("earlier")]).executeTakeFirstOrThrow(),
    ]);
    return { previous: previous ?? null, next: next ?? null, number: counts.earlier + 1, total: counts.total };
  }

  /** One element; undefined if the run has none there. */
  async function location(
    runId: string,
    at: { category: Category; ruleId: string; pageId: number; position: number },
  ): Promise<ElementLocation | undefined> {
    const row = await elementsOf(runId, at.category)
      .selectAll("element")
      .select(PAGE_COLUMNS)
      .where("rule.rule_id", "=", at.ruleId)
      .where("page.id", "=", at.pageId)
      .where("element.position", "=", at.position)
      .executeTakeFirst();
    return row && toLocation(row);
  }

  /** The violation of a rule at an element of a page, by the addresses that exports give. */
  async function violationAt(runId: string, { ruleId, pageUrl, target }: { ruleId: string; pageUrl: string; target: ElementResult["target"] }): Promise<ElementLocation | undefined> {
    const row = await elementsOf(runId, "violations")
      .selectAll("element")
      .select(PAGE_COLUMNS)
      .where("rule.rule_id", "=", ruleId)
      .where("page.url", "=", pageUrl)
      .where("element.target", "=", JSON.stringify(target))
      .orderBy("element.position")
      .executeTakeFirst();
    return row && toLocation(row);
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

  /** How many elements that violate a rule have similar markup, accepted or not. */
  async function alike(runId: string, { ruleId, html }: { ruleId: string; html: string }): Promise<{ elements: number; pages: number }> {
    return elementsOf(runId, "violations")
      .select((eb) => [eb.fn.countAll<number>().as("elements"), eb.fn.count<number>("element.page_id").distinct().as("pages")])
      .where("rule.rule_id", "=", ruleId)
      .where("element.component", "=", componentKey(html))
      .executeTakeFirstOrThrow();
  }

  /** The pages of a run in the order of checking, from a position on. */
  async function pages(
    runId: string,
    { after = -1, limit, failedOnly = false }: { after?: number; limit: number; failedOnly?: boolean },
  ): Promise<{ pages: PageSummary[]; next: number | null }> {
    let query = db.selectFrom("page").selectAll().where("run_id", "=", runId).where("position", ">", after);
    if (failedOnly) {
      query = query.where((eb) =>
        eb.or([eb("status", "=", "failed"), eb.and([eb("partial", "is not", null), eb("partial", "!=", "[]")])]),
      );
    }
    const rows = await query.orderBy("position").limit(limit + 1).execute();
    const shown = rows.slice(0, limit);
    const counts = await countsOf(shown.map(({ id }) => id), await acceptances.ofRun(runId));
    return {
      pages: shown.map((row) => ({
        id: row.id,
        url: row.url,
        finalUrl: row.final_url,
        linkedFrom: row.linked_from,
        title: row.title ?? "",
        lang: row.lang ?? "",
        status: row.status,
        reason: row.reason,
        httpStatus: row.http_status,
        durationMs: row.duration_ms,
        stages: row.stages === null ? [] : (JSON.parse(row.stages) as StageTime[]),
        partial: row.partial === null ? 0 : (JSON.parse(row.partial) as string[]).length,
        ...(counts.get(row.id) ?? { violations: 0, elements: 0, incomplete: 0 }),
      })),
      next: rows.length > limit ? (shown.at(-1)?.position ?? null) : null,
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

  /** Elements of a rule, without accepted ones. */
  function openElementsOf(runId: string, category: Category, ruleId: string, { rules: accepted }: AcceptedInRun) {
    let elements = elementsOf(runId, category).where("rule.rule_id", "=", ruleId);
    const part = category === "violations" ? accepted.get(ruleId) : undefined;
    if (!part) return elements;
    if (part.isWhole) return elements.where(sql<boolean>`false`);
    const { components, elements: ones } = part;
    if (components.length > 0) elements = elements.where((eb) => eb.or([eb("element.component", "is", null), eb("element.component", "not in", components)]));
    if (ones.length > 0) elements = elements.where(numbered, "not in", ones.map(([onPage, position]) => onPage * MAX_STORED_ELEMENTS + position));
    return elements;
  }

  function elementsOf(runId: string, category: Category) {
    return db
      .selectFrom("page")
      .innerJoin("element", "element.page_id", "page.id")
      .innerJoin("rule", "rule.id", "element.rule_id")
      .where("page.run_id", "=", runId)
      .where("element.category", "=", category);
  }
}

/** Each element of a rule in a run has its own number. */
const numbered = sql<number>`element.page_id * ${sql.lit(MAX_STORED_ELEMENTS)} + element.position`;

/** Violations without elements that are left are accepted as a whole. */
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

/** Elements stored before component keys existed are compared by their source. */
const kindOf = sql<string>`coalesce(element.component, element.html)`;

const PAGE_COLUMNS = ["page.url as pageUrl", "page.final_url as pageFinalUrl", "page.title as pageTitle", "page.lang as pageLang"] as const;

const worst = sql<number>`min(case finding.impact ${sql.join(
  IMPACTS.map((impact) => sql`when ${sql.lit(impact)} then ${sql.lit(impactRank(impact))}`),
  sql` `,
)} else ${sql.lit(impactRank(null))} end)`;

type LocationRow = Parameters<typeof toElement>[0] & {
  pageUrl: string;
  pageFinalUrl: string | null;
  pageTitle: string | null;
  pageLang: string | null;
};

function toLocation(row: LocationRow): ElementLocation {
  return {
    ...toElement(row),
    pageId: row.page_id,
    pageUrl: row.pageUrl,
    pageFinalUrl: row.pageFinalUrl,
    pageTitle: row.pageTitle ?? "",
    pageLang: row.pageLang ?? "",
    position: row.position,
  };
}

/** By impact, then by reach: elements times pages. */
function namedIn(conditions: string): (ShownIn | null)[] {
  return (JSON.parse(conditions) as ShownIn[] | null) ?? [null];
}

function mostImportantFirst(one: RuleResult, other: RuleResult): number {
  return (
    CATEGORIES.indexOf(one.category) - CATEGORIES.indexOf(other.category) ||
    impactRank(one.impact) - impactRank(other.impact) ||
    other.elements * other.pages - one.elements * one.pages ||
    (one.ruleId < other.ruleId ? -1 : 1)
  );
}
