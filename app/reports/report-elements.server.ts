import { sql } from "kysely";
import { containsText } from "db/contains-text";
import type { Db } from "db/schema";
import type { Acceptances } from "~/findings/acceptance/acceptances.server";
import type { AcceptedInRun, AcceptedOfRule } from "~/findings/acceptance/accepted-findings.server";
import { componentKey } from "~/findings/component-key.server";
import { MAX_STORED_ELEMENTS, toElement, type StoredElement } from "~/findings/finding.server";
import type { Category, ElementResult } from "~/scan/types";

/** Element with its location in the database. */
export interface ElementLocation extends StoredElement {
  pageId: number;
  pageUrl: string;
  /** Final address of the page after redirects. */
  pageFinalUrl: string | null;
  pageTitle: string;
  pageLang: string;
  /** Position in its finding on its page, from 0. Displayed from 1; it stays the same when other elements are accepted. */
  position: number;
}

/** Location of an element in the database. */
type PlaceKey = Pick<ElementLocation, "pageId" | "position">;

/** Elements with similar source: probably one component. */
export interface LocationGroup {
  elements: number;
  pages: number;
  /** First elements of the group. */
  locations: ElementLocation[];
}

const SHOWN_LOCATIONS = 5;

/** The stored elements of a run's findings. The caller has already found the run for its viewer. */
export function createReportElements({ db, acceptances }: { db: Db; acceptances: Pick<Acceptances, "ofRun"> }) {
  return { rulesWithText, locationsOf, placesOf, neighboursOf, location, openViolationsAt, violationAt, alike };

  /** Rules of a category that have an element whose source or selector contains a text, on one page or on all. */
  async function rulesWithText(runId: string, category: Category, { text, pageId }: { text: string; pageId?: number }): Promise<Set<string>> {
    // Selectors are stored as JSON.
    const inSelector = JSON.stringify(text).slice(1, -1);
    let elements = elementsOf(runId, category);
    if (pageId !== undefined) elements = elements.where("page.id", "=", pageId);
    const rows = await elements
      .select("rule.rule_id")
      .distinct()
      .where((eb) => eb.or([containsText(["element.html"], text), containsText(["element.target"], inSelector)]))
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

  /** Elements of a rule one by one, without accepted ones, in the order of pages and findings. @param offset from 0 */
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

  /**
   * Previous and next element in the list of `placesOf`, and the rank from 1 in that list: over all pages, or with `ofPage` on
   * one page. The rank is not the displayed number of the element.
   */
  async function neighboursOf(
    runId: string,
    at: { category: Category; ruleId: string; pageId: number; position: number },
    { ofPage = false } = {},
  ): Promise<{ previous: PlaceKey | null; next: PlaceKey | null; number: number; total: number }> {
    let elements = openElementsOf(runId, at.category, at.ruleId, await acceptances.ofRun(runId));
    if (ofPage) elements = elements.where("page.id", "=", at.pageId);
    const place = db.selectFrom("page").select("page.position").where("page.id", "=", at.pageId);
    const keys = elements.select(["element.page_id as pageId", "element.position"]).limit(1);
    const before = sql<boolean>`(page.position, element.position) < (${place}, ${at.position})`;
    const after = sql<boolean>`(page.position, element.position) > (${place}, ${at.position})`;
    const [previous, next, counts] = await Promise.all([
      keys.where(before).orderBy("page.position", "desc").orderBy("element.position", "desc").executeTakeFirst(),
      keys.where(after).orderBy("page.position").orderBy("element.position").executeTakeFirst(),
      elements.select((eb) => [eb.fn.countAll<number>().as("total"), eb.fn.countAll<number>().filterWhere(before).as("earlier")]).executeTakeFirstOrThrow(),
    ]);
    return { previous: previous ?? null, next: next ?? null, number: counts.earlier + 1, total: counts.total };
  }

  /** One element; undefined if the run does not have it. */
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

  /** Some violations of one page, in one query, without accepted ones; by rule and position (`violationKey`). */
  async function openViolationsAt(runId: string, pageId: number, wanted: { ruleId: string; position: number }[]): Promise<Map<string, ElementLocation>> {
    if (wanted.length === 0) return new Map();
    const { rules: accepted } = await acceptances.ofRun(runId);
    const rows = await elementsOf(runId, "violations")
      .selectAll("element")
      .select(PAGE_COLUMNS)
      .select("rule.rule_id as ruleId")
      .where("page.id", "=", pageId)
      .where((eb) => eb.or(wanted.map(({ ruleId, position }) => eb.and([eb("rule.rule_id", "=", ruleId), eb("element.position", "=", position)]))))
      .execute();
    const open = rows.filter(({ ruleId, component, position }) => !isAccepted(accepted.get(ruleId), { pageId, position, component }));
    return new Map(open.map((row) => [violationKey(row), toLocation(row)]));
  }

  /** Violation of a rule at an element of a page, by the addresses in exports. */
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

  /** Number of elements with similar markup that violate a rule, accepted or not. */
  async function alike(runId: string, { ruleId, html }: { ruleId: string; html: string }): Promise<{ elements: number; pages: number }> {
    return elementsOf(runId, "violations")
      .select((eb) => [eb.fn.countAll<number>().as("elements"), eb.fn.count<number>("element.page_id").distinct().as("pages")])
      .where("rule.rule_id", "=", ruleId)
      .where("element.component", "=", componentKey(html))
      .executeTakeFirstOrThrow();
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

export const violationKey = ({ ruleId, position }: { ruleId: string; position: number }): string => `${ruleId} ${position}`;

/** Same condition as in `openElementsOf`. */
function isAccepted(part: AcceptedOfRule | undefined, { pageId, position, component }: PlaceKey & { component: string | null }): boolean {
  if (!part) return false;
  const { isWhole, components, elements } = part;
  return isWhole || (component !== null && components.includes(component)) || elements.some(([onPage, at]) => onPage === pageId && at === position);
}

/** Unique number of an element within its rule and run. */
const numbered = sql<number>`element.page_id * ${sql.lit(MAX_STORED_ELEMENTS)} + element.position`;

/** Kind of an element. Elements from before component keys existed are compared by their source. */
const kindOf = sql<string>`coalesce(element.component, element.html)`;

const PAGE_COLUMNS = ["page.url as pageUrl", "page.final_url as pageFinalUrl", "page.title as pageTitle", "page.lang as pageLang"] as const;

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
