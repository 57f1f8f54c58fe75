import { sql, type Selectable } from "kysely";
import type { Db } from "db/schema";
import type { RunTable } from "db/tables/runs";
import type { PurchaseModel } from "~/billing/purchase.server";
import { coveredWebsites } from "~/billing/websites/url-usage";
import { RUN_FACTS, type AcceptedInRun, type RunFacts } from "~/findings/acceptance/accepted-findings.server";
import { createAcceptances, type Acceptances } from "~/findings/acceptance/acceptances.server";
import { subtractAccepted } from "~/runs/accepted-sums.server";
import { addressSpellings } from "~/runs/list.server";
import { isInTrend } from "~/monitoring/history-view";
import { isMostlyUnchecked } from "~/runs/run-view";
import type { Run } from "~/runs/run";
import { isAdvanced, toRun } from "~/runs/run-row.server";
import { createScheduleCovers, standingOf, type ScheduleCoversOptions } from "~/monitoring/schedule-cover.server";
import type { Schedule } from "~/monitoring/schedule.server";
import { readChanges, type RunChange } from "./run-changes.server";
import type { WebsiteOrder, WebsiteState } from "./website";

/** Maximum number of runs in a line. */
const MOST_POINTS = 12;

const LINE_COLUMNS = [...RUN_FACTS, "origin", "created_at", "violations", "elements", "engines", "failed_pages", "standard_version", "standard_level", "full_version", "trial", "claimed_at"] as const;
type LineRow = Pick<Selectable<RunTable>, (typeof LINE_COLUMNS)[number]>;

export interface WebsiteFilter {
  /** Part of the website's address. */
  text?: string;
  state?: WebsiteState;
  order?: WebsiteOrder;
}

/** Facts for filtering and sorting the list. Times are Unix time in ms. */
export interface WebsiteSummary {
  /** Origin: scheme and host. */
  origin: string;
  /** URL, if registered with a purchase; null if only its runs exist. */
  registered: string | null;
  state: WebsiteState;
  /** Run of the last result: of the whole website, or of a page if the whole was never checked. */
  lastRun: string | null;
  lastAt: number | null;
  /** Number of elements with violations in that run, without accepted ones. */
  elements: number;
}

/** Run in a line. */
interface LinePoint {
  id: string;
  /** Number of elements with violations. */
  elements: number;
}

export interface WebsiteDetails {
  last: Run | null;
  /** Changes of the last run; null until they are counted. */
  changes: RunChange | null;
  /** Comparable runs up to the last successful one, the oldest first. */
  line: LinePoint[];
  /** Newest waiting or running scan. */
  open: Run | null;
  /** Next schedule to start; a paused one if there is no other. */
  schedule: Pick<Schedule, "every" | "nextRunAt" | "paused"> | null;
  /** First page of the last run, if its picture is stored. */
  picturePage: number | null;
}

export interface WebsitesOptions extends ScheduleCoversOptions {
  db: Db;
  purchases: Pick<PurchaseModel, "of">;
  acceptances?: Pick<Acceptances, "among" | "unknownAmong">;
  now?: () => number;
}

export type Websites = ReturnType<typeof createWebsites>;

/** Websites of a user: from their runs, and from their purchases. */
export function createWebsites({ db, purchases, open, acceptances = createAcceptances({ db }), now = Date.now }: WebsitesOptions) {
  const covers = createScheduleCovers({ purchases, open });
  return { list, find, details };

  /** All matching websites, sorted. */
  async function list(owner: string, { text, state, order = "name" }: WebsiteFilter = {}): Promise<WebsiteSummary[]> {
    const spellings = text ? addressSpellings(originIn(text)) : [];
    return (await all(owner))
      .filter((website) => state === undefined || website.state === state)
      .filter(({ origin }) => spellings.length === 0 || spellings.some((part) => origin.includes(part)))
      .toSorted(comparators[order]);
  }

  /** One website of a user; undefined if it does not exist, or belongs to another user. */
  async function find(owner: string, origin: string): Promise<WebsiteSummary | undefined> {
    return (await all(owner, origin)).find((website) => website.origin === origin);
  }

  async function all(owner: string, only?: string): Promise<WebsiteSummary[]> {
    const registered = new Map(coveredWebsites(await purchases.of(owner)).map((url) => [new URL(url).origin, url]));
    const websites = new Map([...registered].map(([origin, url]) => [origin, neverChecked(origin, url)]));
    const rows = await lastResults(owner, only);
    const accepted = await acceptances.among(rows.filter(hasElements));
    for (const found of rows) {
      // The same text as in the row: a filter must not find text that is not shown.
      const row = { ...found, elements: (found.elements ?? 0) - (accepted.get(found.id ?? "")?.sums.elements ?? 0) };
      const known = registered.get(row.origin) ?? null;
      websites.set(row.origin, row.id === null ? neverChecked(row.origin, known) : {
        origin: row.origin,
        registered: known,
        state: stateOf(row),
        lastRun: row.id,
        lastAt: row.created_at,
        elements: row.elements,
      });
    }
    return [...websites.values()];
  }

  async function lastResults(owner: string, only?: string) {
    const last = (scopes: "site" | "any") =>
      sql<number | null>`max(case when status in ('succeeded', 'failed') and (${scopes} = 'any' or scope = 'site') then created_at end)`;
    // Needs only the index.
    const sums = db
      .selectFrom("run")
      .select(["origin", last("site").as("site_at"), last("any").as("page_at")])
      .where("owner", "=", owner)
      .where("deleted_at", "is", null)
      .$if(only !== undefined, (query) => query.where("origin", "=", only ?? ""))
      .groupBy("origin")
      .as("sums");
    return db
      .selectFrom(sums)
      .leftJoin("run", (join) =>
        join
          .on("run.owner", "=", owner)
          .on("run.deleted_at", "is", null)
          .onRef("run.origin", "=", "sums.origin")
          .on((eb) => eb("run.created_at", "=", eb.fn.coalesce("sums.site_at", "sums.page_at")))
          .on("run.status", "in", ["succeeded", "failed"]),
      )
      .select(["sums.origin", "run.id", "run.url", "run.owner", "run.status", "run.created_at", "run.pages", "run.failed_pages", "run.elements", "run.evidence", "run.violated_rules"])
      .orderBy("sums.origin")
      .orderBy("run.scope")
      .orderBy("run.status")
      .orderBy("run.id")
      .execute();
  }

  /** Details by origin, with the same number of queries for any number of websites. */
  async function details(owner: string, websites: WebsiteSummary[]): Promise<Map<string, WebsiteDetails>> {
    if (websites.length === 0) return new Map();
    const ids = websites.flatMap(({ lastRun }) => lastRun ?? []);
    const lastRows = await rowsWith(owner, ids);
    const [lineRows, open, schedules, pictures, changes] = await Promise.all([
      lineRowsOf(owner, lastRows),
      openRuns(owner, websites.map(({ origin }) => origin)),
      nextSchedules(owner),
      picturePages(ids),
      changesOf(lastRows),
    ]);
    const accepted = await acceptances.among([...lastRows, ...lineRows].filter(({ violations }) => violations > 0));
    const last = new Map(lastRows.map((row) => [row.origin, subtractAccepted(toRun(row), accepted.get(row.id))]));
    const lines = await linesOf(lineRows, accepted);
    return new Map(
      websites.map(({ origin, lastRun }) => [
        origin,
        {
          last: last.get(origin) ?? null,
          changes: changes.get(lastRun ?? "") ?? null,
          line: lines.get(origin) ?? [],
          open: open.get(origin) ?? null,
          schedule: schedules.get(origin) ?? null,
          picturePage: pictures.get(lastRun ?? "") ?? null,
        },
      ]),
    );
  }

  async function rowsWith(owner: string, ids: string[]) {
    return ids.length === 0 ? [] : db.selectFrom("run").selectAll().where("id", "in", ids).where("owner", "=", owner).execute();
  }

  /** Successful runs with the same address and scope as each run, the newest first. */
  async function lineRowsOf(owner: string, runs: Pick<Selectable<RunTable>, "url" | "scope">[]): Promise<LineRow[]> {
    const [first, ...others] = runs.map((run) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom("run")
            .select(LINE_COLUMNS)
            .where("owner", "=", owner)
            .where("url", "=", run.url)
            .where("scope", "=", run.scope)
            .where("deleted_at", "is", null)
            .where("status", "=", "succeeded")
            .orderBy("created_at", "desc")
            .limit(MOST_POINTS)
            .as("line"),
        )
        .selectAll(),
    );
    return first ? others.reduce((all, each) => all.unionAll(each), first).execute() : [];
  }

  /** Lines of comparable runs by origin: same address, scope, standard and rules. */
  async function linesOf(rows: LineRow[], accepted: Map<string, AcceptedInRun>): Promise<Map<string, LinePoint[]>> {
    const lines = new Map<string, LineRow[]>();
    const unknown = await acceptances.unknownAmong(rows);
    const points = rows.filter(({ id, pages, failed_pages: failedPages }) => isInTrend({ status: "succeeded", pages, failedPages, acceptedUnknown: unknown.has(id) }));
    for (const row of points.toSorted((one, other) => other.created_at - one.created_at)) {
      const line = lines.get(row.origin) ?? [];
      lines.set(row.origin, line);
      line.push(row);
    }
    return new Map([...lines].map(([origin, line]) => [origin, comparableToLatest(line).map(({ id, elements }) => ({ id, elements: elements - (accepted.get(id)?.sums.elements ?? 0) })).reverse()]));
  }

  async function openRuns(owner: string, origins: string[]): Promise<Map<string, Run>> {
    const rows = await db
      .selectFrom("run")
      .selectAll()
      .where("owner", "=", owner)
      .where("origin", "in", origins)
      .where("status", "in", ["queued", "running"])
      .where("deleted_at", "is", null)
      .orderBy("created_at")
      .execute();
    return new Map(rows.map(toRun).map((run) => [new URL(run.url).origin, run]));
  }

  async function nextSchedules(owner: string): Promise<Map<string, WebsiteDetails["schedule"]>> {
    const columns = ["url", "level", "every", "hour", "anchor_at", "next_run_at", "paused"] as const;
    const rows = await db.selectFrom("schedule").select(columns).where("owner", "=", owner).orderBy("url").orderBy("scope").execute();
    const cover = await covers.of(owner);
    // The last schedule of an origin is used: the soonest that is not paused.
    const sorted = rows
      .map((row) => ({ url: row.url, every: row.every, ...standingOf(row, cover, now()) }))
      .toSorted((one, other) => Number(other.paused !== null) - Number(one.paused !== null) || other.nextRunAt - one.nextRunAt);
    return new Map(sorted.map(({ url, ...schedule }) => [new URL(url).origin, schedule]));
  }

  /** Changes by run. Changes since a run that is deleted, or whose elements are deleted, cannot be shown. */
  async function changesOf(rows: Pick<Selectable<RunTable>, "id" | "changes">[]): Promise<Map<string, RunChange>> {
    const changes = new Map(rows.flatMap(({ id, changes: json }) => [[id, readChanges(json)] as const]).filter((each): each is [string, RunChange] => each[1] !== null));
    const befores = [...changes.values()].flatMap(({ before }) => before ?? []);
    if (befores.length === 0) return changes;
    const there = await db.selectFrom("run").select("id").where("id", "in", befores).where("deleted_at", "is", null).where("evidence", "!=", "gone").execute();
    const ids = new Set(there.map(({ id }) => id));
    return new Map([...changes].map(([id, each]) => [id, each.before !== null && ids.has(each.before) ? each : noChange(each)]));
  }

  /** Pages with pictures by run. */
  async function picturePages(runIds: string[]): Promise<Map<string, number>> {
    if (runIds.length === 0) return new Map();
    const rows = await db
      .selectFrom("page")
      .innerJoin("page_picture", "page_picture.page_id", "page.id")
      .select(["page.run_id", "page.id"])
      .where("page.run_id", "in", runIds)
      .where("page.position", "=", 0)
      .execute();
    return new Map(rows.map(({ run_id, id }) => [run_id, id]));
  }
}

const noChange = ({ before }: RunChange): RunChange => ({ before: null, isGone: before !== null });

type Conditions = Pick<Selectable<RunTable>, "owner" | "standard_version" | "standard_level" | "engines" | "full_version" | "trial" | "claimed_at">;

/** Runs from the latest back to the first that is not comparable with it. @param runs the latest first */
function comparableToLatest<Row extends Conditions>(runs: Row[]): Row[] {
  const how = (run: Conditions) => `${run.standard_version} ${run.standard_level} ${run.engines} ${isAdvanced(run)}`;
  const end = runs.findIndex((run, _index, [latest = run]) => how(run) !== how(latest));
  return end < 0 ? [...runs] : runs.slice(0, end);
}

const neverChecked = (origin: string, registered: string | null): WebsiteSummary => ({
  ...{ origin, registered, lastRun: null, lastAt: null, elements: 0 },
  state: "never",
});

/** Whether an origin has a last result with violations; others have no run to look at. */
function hasElements<Row extends { id: string | null; elements: number | null }>(row: Row): row is Row & { [Column in keyof RunFacts]: RunFacts[Column] } {
  return row.id !== null && Boolean(row.elements);
}

interface Result {
  status: Run["status"] | null;
  pages: number | null;
  failed_pages: number | null;
  /** Number of elements with violations, without accepted ones. */
  elements: number;
}

function stateOf({ status, pages, failed_pages, elements }: Result): WebsiteState {
  if (status !== "succeeded" || isMostlyUnchecked({ pages: pages ?? 0, failedPages: failed_pages ?? 0 })) return "not_checked";
  return elements ? "found" : "none_found";
}

/** Address up to the host: people paste complete addresses. */
const originIn = (text: string) => text.trim().replace(/^((?:https?:\/\/)?[^/\s]+)\/.*$/i, "$1");

/** Order by host; the https website first. */
const byName = ({ origin: one }: WebsiteSummary, { origin: other }: WebsiteSummary) =>
  new URL(one).host.localeCompare(new URL(other).host) || other.length - one.length;
const comparators: Record<WebsiteOrder, (one: WebsiteSummary, other: WebsiteSummary) => number> = {
  name: byName,
  latest: (one, other) => (other.lastAt ?? 0) - (one.lastAt ?? 0) || byName(one, other),
  most: (one, other) => other.elements - one.elements || byName(one, other),
};
