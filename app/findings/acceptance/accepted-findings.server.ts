import { setImmediate as breathe } from "node:timers/promises";
import { sql, type Selectable } from "kysely";
import type { Db } from "db/schema";
import type { RunTable } from "db/tables/runs";
import { setNewest } from "~/scan/limited-map";
import { noImpacts } from "~/scan/impact";
import { fingerprintOf } from "~/findings/fingerprint.server";
import { ruleKey } from "~/findings/rules/rule-key";
import type { ElementResult, Impact } from "~/scan/types";
import { elementKey, holdsIn, urlWithoutFragment, type ActiveAcceptance } from "./acceptance-scope";

/** Number of cached runs: more than a list of 500 websites with their trends shows. */
const MOST_REMEMBERED = 1_000;
/** Number of pages whose elements are read at once; other requests run in between. */
const PAGES_PER_STEP = 10;

/** Violated rule on a page, with accepted elements. */
interface AcceptedFinding {
  pageId: number;
  ruleId: string;
  impact: Impact | null;
  /** Number of elements, and of accepted ones among them. */
  elements: number;
  accepted: number;
}

/** Accepted elements of a rule, for queries about its elements. */
export interface AcceptedOfRule {
  isWhole: boolean;
  components: string[];
  /** `page.id` and `element.position`. */
  elements: [pageId: number, position: number][];
}

/** Accepted violations of a run. */
export interface AcceptedInRun {
  findings: AcceptedFinding[];
  /** Accepted elements by the id of the rule. */
  rules: ReadonlyMap<string, AcceptedOfRule>;
  /** Extent of each acceptance by its id; missing if it covers nothing. */
  extent: ReadonlyMap<string, { elements: number; pages: number }>;
  /** Numbers to subtract from the run's sums: elements; rules on pages, also by impact; rules of the whole run. */
  sums: { elements: number; findings: number; rules: number; impacts: Record<Impact, number> };
}

const NOTHING: AcceptedInRun = { findings: [], rules: new Map(), extent: new Map(), sums: { elements: 0, findings: 0, rules: 0, impacts: noImpacts() } };

/** Version of a user's acceptances for an origin, by scope. */
export interface AcceptanceState extends Pick<ActiveAcceptance, "owner" | "origin" | "scope"> {
  state: string;
}

/** Columns of a run with which its accepted violations are found. */
export type RunFacts = Pick<Selectable<RunTable>, (typeof RUN_FACTS)[number]>;

export const RUN_FACTS = ["id", "url", "owner", "evidence", "pages", "violated_rules"] as const;

interface Sources {
  db: Db;
  active: (owners: string[]) => Promise<ActiveAcceptance[]>;
  states: (owners: string[]) => Promise<AcceptanceState[]>;
}

/**
 * The only place that counts accepted violations. The result for a run is cached until its acceptances change: by a
 * person, or because a last day is over.
 * @param active all valid acceptances of some users
 * @param states versions that change with them
 */
export function createAcceptedFindings({ db, active, states }: Sources) {
  const remembered = new Map<string, { state: string; value: Promise<AcceptedInRun> }>();
  return { ofRun, ofRuns, among, isUnknownIn, unknownAmong };

  async function ofRun(id: string): Promise<AcceptedInRun> {
    return (await ofRuns([id])).get(id) ?? NOTHING;
  }

  /** Accepted violations by the id of the run; runs without any are missing. */
  async function ofRuns(ids: string[]): Promise<Map<string, AcceptedInRun>> {
    if (ids.length === 0) return new Map();
    return among(await db.selectFrom("run").select(RUN_FACTS).where("id", "in", ids).where("owner", "is not", null).where("violations", ">", 0).execute());
  }

  /** The same for runs that were already read. */
  async function among(runs: RunFacts[]): Promise<Map<string, AcceptedInRun>> {
    const found = new Map<string, AcceptedInRun>();
    const owners = [...new Set(runs.flatMap(({ owner }) => owner ?? []))];
    const held = owners.length > 0 ? await states(owners) : [];
    if (held.length === 0) return found;
    // Loaded once for all runs that are not cached, and only if there are any.
    let reading: Promise<ActiveAcceptance[]> | undefined;
    const read = () => (reading ??= active([...new Set(held.map(({ owner }) => owner))]));
    for (const run of runs) {
      const value = await ofOne(run, held.filter((row) => row.owner === run.owner && holdsIn(run)(row)), read);
      if (value.findings.length > 0) found.set(run.id, value);
    }
    return found;
  }

  /** Whether accepted elements cannot be matched: the run's elements are deleted, and its website has acceptances of elements or components. */
  async function isUnknownIn(run: Pick<RunFacts, "id" | "owner" | "url" | "evidence">): Promise<boolean> {
    return (await unknownAmong([run])).has(run.id);
  }

  /** Ids of such runs among many. */
  async function unknownAmong(runs: Pick<RunFacts, "id" | "owner" | "url" | "evidence">[]): Promise<Set<string>> {
    const gone = runs.filter(({ evidence, owner }) => evidence === "gone" && owner !== null);
    if (gone.length === 0) return new Set();
    const held = (await states([...new Set(gone.flatMap(({ owner }) => owner ?? []))])).filter(({ scope }) => scope !== "rule");
    return new Set(gone.filter((run) => held.some((row) => row.owner === run.owner && holdsIn(run)(row))).map(({ id }) => id));
  }

  function ofOne(run: RunFacts, held: AcceptanceState[], read: () => Promise<ActiveAcceptance[]>): Promise<AcceptedInRun> {
    if (held.length === 0) return Promise.resolve(NOTHING);
    const state = [run.pages, run.evidence, run.violated_rules, ...held.map((each) => `${each.origin} ${each.scope} ${each.state}`)].join("\n");
    const known = remembered.get(run.id);
    if (known?.state === state) return known.value;
    const isHeld = holdsIn(run);
    const value = read().then((all) => count(run.id, all.filter((row) => row.owner === run.owner && isHeld(row))));
    setNewest(remembered, run.id, { state, value }, MOST_REMEMBERED);
    value.catch(() => remembered.delete(run.id));
    return value;
  }

  async function count(runId: string, acceptances: ActiveAcceptance[]): Promise<AcceptedInRun> {
    const rules = await rulesOf(acceptances);
    if (rules.size === 0) return NOTHING;
    const findings = await findingsOf(runId, [...rules.keys()]);
    if (findings.length === 0) return NOTHING;
    const of = (scope: ActiveAcceptance["scope"]) => acceptances.filter((row) => row.scope === scope);
    const whole = new Map(of("rule").map((row) => [row.rule, row.id]));
    const componentAcceptances = of("component");
    const components = new Map(componentAcceptances.map((row) => [`${row.rule}\n${row.component}`, row.id]));
    const ofComponents = await componentsOf(runId, componentAcceptances, rules);
    const ofElements = await elementsOf(runId, of("element"), rules);

    const extent = new Map<string, { elements: number; pages: Set<number> }>();
    const sums = { elements: 0, findings: 0, rules: 0, impacts: noImpacts() };
    const counted: AcceptedFinding[] = [];
    const parts = new Map<string, AcceptedOfRule>();
    const openRules = new Set<string>();
    for (const { page_id: pageId, rule_id: row, impact, element_count: elements } of findings) {
      const rule = rules.get(row) ?? "";
      const ruleId = rule.slice(rule.indexOf("/") + 1);
      const at = `${pageId} ${row}`;
      const [componentCounts, acceptedElements] = [ofComponents.get(at) ?? [], ofElements.get(at) ?? []];
      const wholeBy = whole.get(rule);
      if (wholeBy !== undefined) add(wholeBy, pageId, elements);
      for (const { component, count: size } of componentCounts) add(components.get(`${rule}\n${component}`) ?? "", pageId, size);
      for (const { id } of acceptedElements) add(id, pageId, 1);
      const alone = acceptedElements.filter(({ component }) => component === null || !components.has(`${rule}\n${component}`));
      const accepted = wholeBy === undefined ? Math.min(elements, componentCounts.reduce((sum, { count: size }) => sum + size, 0) + alone.length) : elements;
      if (accepted < elements) openRules.add(ruleId);
      if (accepted === 0) continue;
      counted.push({ pageId, ruleId, impact, elements, accepted });
      sums.elements += accepted;
      const ofRule = componentAcceptances.flatMap((each) => (each.rule === rule && each.component ? [each.component] : []));
      const part = parts.get(ruleId) ?? { isWhole: wholeBy !== undefined, components: ofRule, elements: [] };
      parts.set(ruleId, part);
      for (const { position } of acceptedElements) part.elements.push([pageId, position]);
      if (accepted < elements) continue;
      sums.findings += 1;
      if (impact) sums.impacts[impact] += 1;
    }
    sums.rules = [...parts.keys()].filter((ruleId) => !openRules.has(ruleId)).length;
    return { findings: counted, rules: parts, sums, extent: new Map([...extent].map(([id, { elements, pages }]) => [id, { elements, pages: pages.size }])) };

    function add(id: string, pageId: number, elements: number): void {
      const known = extent.get(id) ?? { elements: 0, pages: new Set<number>() };
      extent.set(id, known);
      known.elements += elements;
      known.pages.add(pageId);
    }
  }

  /** `ruleKey` by `rule.id`, for all versions of the engines. */
  async function rulesOf(acceptances: ActiveAcceptance[]): Promise<Map<number, string>> {
    const keys = new Set(acceptances.map(({ rule }) => rule));
    const ids = [...keys].map((key) => key.slice(key.indexOf("/") + 1));
    const rows = await db.selectFrom("rule").select(["id", "source", "rule_id"]).where("rule_id", "in", ids).execute();
    return new Map(rows.map(({ id, source, rule_id: ruleId }) => [id, ruleKey({ source, ruleId })] as const).filter(([, key]) => keys.has(key)));
  }

  function findingsOf(runId: string, rules: number[]) {
    return db
      .selectFrom("page")
      .innerJoin("finding", "finding.page_id", "page.id")
      .select(["finding.page_id", "finding.rule_id", "finding.impact", "finding.element_count"])
      .where("page.run_id", "=", runId)
      .where("finding.category", "=", "violations")
      .where("finding.rule_id", "in", rules)
      .execute();
  }

  /** Accepted components by page and rule. */
  async function componentsOf(runId: string, acceptances: ActiveAcceptance[], rules: Map<number, string>) {
    const found = new Map<string, { component: string; count: number }[]>();
    const accepted = new Set(acceptances.map(({ rule, component }) => `${rule}\n${component}`));
    const rows = rowsOf(acceptances, rules);
    if (rows.length === 0) return found;
    const counts = await db
      .selectFrom("page")
      .innerJoin("stored_element", "stored_element.page_id", "page.id")
      .select(["stored_element.page_id", "stored_element.rule_id", "stored_element.component"])
      .select(sql<number>`count(*)`.as("count"))
      .where("page.run_id", "=", runId)
      .where("stored_element.category", "=", "violations")
      .where("stored_element.rule_id", "in", rows)
      .where("stored_element.component", "in", acceptances.flatMap(({ component }) => component ?? []))
      .groupBy(["stored_element.page_id", "stored_element.rule_id", "stored_element.component"])
      .execute();
    for (const { page_id, rule_id, component, count: size } of counts) {
      if (component === null || !accepted.has(`${rules.get(rule_id)}\n${component}`)) continue;
      const at = `${page_id} ${rule_id}`;
      found.set(at, [...(found.get(at) ?? []), { component, count: size }]);
    }
    return found;
  }

  /** Accepted elements by page and rule. */
  async function elementsOf(runId: string, acceptances: ActiveAcceptance[], rules: Map<number, string>) {
    const found = new Map<string, { id: string; position: number; component: string | null }[]>();
    if (acceptances.length === 0) return found;
    const ids = new Map(acceptances.map(({ id, origin, path, rule, fingerprint }) => [elementKey(`${origin}${path}`, rule, fingerprint ?? ""), id]));
    const acceptedUrls = new Set(acceptances.map(({ origin, path }) => `${origin}${path}`));
    const all = await db.selectFrom("page").select(["id", "url"]).where("run_id", "=", runId).execute();
    const pages = all.filter(({ url }) => acceptedUrls.has(urlWithoutFragment(url)));
    const rows = rowsOf(acceptances, rules);
    for (let start = 0; start < pages.length; start += PAGES_PER_STEP) {
      const step = new Map(pages.slice(start, start + PAGES_PER_STEP).map(({ id, url }) => [id, urlWithoutFragment(url)]));
      const elements = await db
        .selectFrom("stored_element")
        .select(["page_id", "rule_id", "position", "component", "fingerprint"])
        .where("page_id", "in", [...step.keys()])
        .where("category", "=", "violations")
        .where("rule_id", "in", rows)
        .execute();
      const older = elements.some(({ fingerprint }) => fingerprint === null) ? await olderFingerprints([...step.keys()], rows) : new Map<string, string>();
      for (const { page_id, rule_id, position, component, fingerprint } of elements) {
        const known = fingerprint ?? older.get(`${page_id} ${rule_id} ${position}`) ?? "";
        const id = ids.get(elementKey(step.get(page_id) ?? "", rules.get(rule_id) ?? "", known));
        if (id === undefined) continue;
        const at = `${page_id} ${rule_id}`;
        const ofFinding = found.get(at) ?? [];
        ofFinding.push({ id, position, component });
        found.set(at, ofFinding);
      }
      await breathe();
    }
    return found;
  }

  /** Computed fingerprints of elements that were stored without one. */
  async function olderFingerprints(pages: number[], rows: number[]): Promise<Map<string, string>> {
    const stored = await db
      .selectFrom("element")
      .innerJoin("stored_element as stored", (join) =>
        join.onRef("stored.page_id", "=", "element.page_id").onRef("stored.category", "=", "element.category").onRef("stored.rule_id", "=", "element.rule_id").onRef("stored.position", "=", "element.position"),
      )
      .select(["element.page_id", "element.rule_id", "element.position", "element.target", "element.html"])
      .where("stored.fingerprint", "is", null)
      .where("stored.page_id", "in", pages)
      .where("stored.category", "=", "violations")
      .where("stored.rule_id", "in", rows)
      .execute();
    return new Map(stored.map(({ page_id, rule_id, position, target, html }) => [`${page_id} ${rule_id} ${position}`, fingerprintOf({ html, target: JSON.parse(target) as ElementResult["target"] })]));
  }
}

/** Ids of the stored rules that have acceptances. @param rules keys by id */
function rowsOf(acceptances: ActiveAcceptance[], rules: Map<number, string>): number[] {
  const keys = new Set(acceptances.map(({ rule }) => rule));
  return [...rules].filter(([, key]) => keys.has(key)).map(([row]) => row);
}
