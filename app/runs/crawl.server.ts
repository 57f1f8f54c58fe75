import { sql, type Selectable, type Updateable } from "kysely";
import type { Db, Trx } from "db/schema";
import type { KnownAddressTable, PageTable } from "db/tables/runs";
import type { PictureStore, StoredHashes } from "~/findings/picture-store.server";
import type { EventLog } from "~/platform/event-log";
import type { PutBack, WorkContext } from "~/platform/jobs/queue";
import { storageTrouble } from "~/platform/storage-trouble";
import { fromStoredFacts, toStoredFacts, type CrawlFacts, type StoredFacts } from "~/scan/crawl/facts";
import type { KnownAddress } from "~/scan/crawl/frontier";
import type { CrawlStore, RememberedAddress } from "~/scan/crawl/store";
import type { SiteFindings } from "~/scan/site/judge-site";
import type { EngineVersion, PageResult, Standard } from "~/scan/types";
import { dropOpenPages, openPage } from "./page.server";
import { addResult } from "./run-sums.server";
import { siteFindings, storeSiteFindings } from "./site-findings.server";

export interface CrawlsOptions {
  db: Db;
  pictures?: Pick<PictureStore, "put">;
  /** Called after each change of a run's progress in the database. */
  onChanged?: (runId: string) => void;
  log?: EventLog;
}

export type Crawls = ReturnType<typeof createCrawls>;

// Ten columns per row: well below SQLite's limit of 32,766 parameters.
const ROWS_PER_INSERT = 1_000;

/** Stored crawl state of whole sites, from which an interrupted run continues. */
export function createCrawls({ db, pictures, onChanged = () => {}, log = () => {} }: CrawlsOptions) {
  return { storeOf, putBack, judge, conclude };

  /** The crawl state of one run. Writes only through checkpoints: a worker that lost its lease writes nothing. */
  function storeOf(runId: string, engines: EngineVersion[], { checkpoint }: Pick<WorkContext, "checkpoint">): CrawlStore {
    const store = async (change: (trx: Trx) => Promise<unknown>, isProgress: boolean) => {
      await checkpoint(async (trx) => void (await change(trx)), isProgress);
      onChanged(runId);
    };
    /** Stores a change that finishes addresses: progress, which resets earlier failures. */
    const keep = (change: (trx: Trx) => Promise<unknown>) => store(change, true);
    /** Stores a change without progress: each attempt makes it again, also if the crawl always fails at the same page. */
    const note = (change: (trx: Trx) => Promise<unknown>) => store(change, false);
    /** Number of stored addresses; undefined until first counted. Cached, because counting takes longer than a page. */
    let addressCount: number | undefined;
    const storedPictures = new Map<string, StoredHashes>();
    const finish = async (trx: Trx, address: KnownAddress, result: PageResult, { canonical, stored }: { canonical?: string; stored?: StoredHashes } = {}) => {
      await openPage(trx, runId, address.url);
      await addResult(trx, runId, result, engines, stored);
      await settle(trx, runId, address, { state: "done", canonical });
    };

    return {
      load: () => load(runId),
      async found(addresses, facts) {
        let before = 0;
        await note(async (trx) => {
          before = addressCount ?? (await countAddresses(trx, runId));
          await insertAddresses(trx, runId, addresses, before);
          await keepFacts(trx, runId, facts);
        });
        addressCount = before + addresses.length;
      },
      begin: (address, alone) =>
        note(async (trx) => {
          await openPage(trx, runId, address.url);
          await settle(trx, runId, address, { state: "open", alone: alone ? 1 : 0 });
        }),
      postpone: (address) =>
        note(async (trx) => {
          await dropOpenPages(trx, runId, address.url);
          await settle(trx, runId, address, { state: "waiting" });
        }),
      async prepare({ key }, result) {
        if (pictures) storedPictures.set(key, await pictures.put(runId, result));
      },
      async page(address, result, facts, canonical) {
        await keep(async (trx) => {
          await finish(trx, address, result, { canonical, stored: storedPictures.get(address.key) });
          await keepFacts(trx, runId, facts);
        });
        storedPictures.delete(address.key);
      },
      skip: (address, _why, facts) =>
        keep(async (trx) => {
          await dropOpenPages(trx, runId, address.url);
          await settle(trx, runId, address, { state: "done" });
          await keepFacts(trx, runId, facts);
        }),
      disallowed: (pages, others, facts) =>
        keep(async (trx) => {
          for (const { address, result } of pages) await finish(trx, address, result);
          for (const address of others) await settle(trx, runId, address, { state: "done" });
          await keepFacts(trx, runId, facts);
        }),
    };
  }

  async function load(runId: string): ReturnType<CrawlStore["load"]> {
    const run = await db.selectFrom("run").select("crawl").where("id", "=", runId).executeTakeFirstOrThrow();
    if (run.crawl === null) return null;
    const rows = await db
      .selectFrom("known_address")
      .leftJoin("page", (join) =>
        join.onRef("page.run_id", "=", "known_address.run_id").onRef("page.url", "=", "known_address.url"),
      )
      .selectAll("known_address")
      .select(["page.final_url", "page.status"])
      .where("known_address.run_id", "=", runId)
      .orderBy("known_address.position")
      .execute();
    return { addresses: rows.map(toAddress), facts: fromStoredFacts(JSON.parse(run.crawl) as StoredFacts) };
  }

  /**
   * Puts pages under visit back to waiting, after the end of a run's worker. A process crash counts against each of them: at most
   * once if other pages were visited too (one of them may be the cause), every time if it was visited alone. A stop during a
   * visit alone shows that the page has not killed the process: its earlier crashes count as chance.
   */
  async function putBack(trx: Trx, runId: string, why: PutBack): Promise<void> {
    await trx
      .updateTable("known_address")
      .set((eb) => ({
        state: "waiting",
        alone: 0,
        ...(why === "died" && { deaths: sql<number>`case when ${eb.ref("alone")} = 1 then deaths + 1 when deaths > 1 then deaths else 1 end` }),
        ...(why === "stopped" && { deaths: sql<number>`case ${eb.ref("alone")} when 1 then 1 else deaths end` }),
      }))
      .where("run_id", "=", runId)
      .where("state", "=", "open")
      .execute();
  }

  /**
   * Findings of the rules about whole sites, after the end of the crawl. An error in these rules must not lose the checked pages.
   * @throws while the database does not answer: that is no error of the rules
   */
  async function judge(runId: string, facts: CrawlFacts, standard: Standard): Promise<SiteFindings> {
    try {
      return await siteFindings(db, runId, facts, standard);
    } catch (error) {
      if (storageTrouble(error) !== null) throw error;
      log("pages of a site could not be compared", { run: runId, error: String(error) });
      return new Map();
    }
  }

  /** Ends a run: keeps its pages and these facts, adds the findings about the site, and deletes the crawl state. */
  async function conclude(trx: Trx, runId: string, facts: CrawlFacts, { found, engines }: { found: SiteFindings; engines: EngineVersion[] }): Promise<void> {
    await storeSiteFindings(trx, runId, found, engines);
    await keepFacts(trx, runId, facts);
    await dropOpenPages(trx, runId);
    await trx.deleteFrom("known_address").where("run_id", "=", runId).execute();
  }
}

async function countAddresses(trx: Trx, runId: string): Promise<number> {
  const known = trx.selectFrom("known_address").select((eb) => eb.fn.countAll<number>().as("count")).where("run_id", "=", runId);
  return (await known.executeTakeFirstOrThrow()).count;
}

/** @param known number of addresses stored before */
async function insertAddresses(trx: Trx, runId: string, addresses: KnownAddress[], known: number): Promise<void> {
  const rows = addresses.map(({ linkedFrom, ...address }, index) => ({
    run_id: runId,
    position: known + index,
    ...address,
    linked_from: linkedFrom,
  }));
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const batch = rows.slice(start, start + ROWS_PER_INSERT);
    await trx.insertInto("known_address").values(batch).execute();
  }
}

async function settle(
  trx: Trx,
  runId: string,
  { key }: KnownAddress,
  outcome: Pick<Updateable<KnownAddressTable>, "state" | "alone" | "canonical">,
): Promise<void> {
  await trx
    .updateTable("known_address")
    .set(outcome)
    .where("run_id", "=", runId)
    .where("key", "=", key)
    .execute();
}

async function keepFacts(trx: Trx, runId: string, facts: CrawlFacts): Promise<void> {
  await trx
    .updateTable("run")
    .set({ crawl: JSON.stringify(toStoredFacts(facts)), known_pages: facts.known + facts.disallowed })
    .where("id", "=", runId)
    .execute();
}

function toAddress(row: Selectable<KnownAddressTable> & { final_url: string | null; status: PageTable["status"] | null }): RememberedAddress {
  const { url, key, depth, chain, source, linked_from: linkedFrom } = row;
  return {
    address: { url, key, depth, chain, source, linkedFrom },
    isDone: row.state === "done",
    crashes: row.deaths,
    // Only for a checked page: a failed visit may have ended at another page, such as a sign-in.
    finalUrl: row.status === "succeeded" ? row.final_url : null,
    canonical: row.canonical,
  };
}
