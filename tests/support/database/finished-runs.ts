import type { Db } from "db/schema";
import type { RunStatus } from "db/tables/runs";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { openPage } from "~/runs/page.server";
import type { Run } from "~/runs/run";
import type { PictureStore, StoredHashes } from "~/findings/picture-store.server";
import { createRuns, type NewRun } from "~/runs/run.server";
import { addResult } from "~/runs/run-sums.server";
import { toStoredFacts, type CrawlFacts } from "~/scan/crawl/facts";
import type { EngineVersion, PageResult } from "~/scan/types";
import type { Member } from "../accounts/accounts";
import { checkedPage, element, ENGINES, finding } from "./page-results";
import { WCAG22AA } from "../scan/scanner";

const noQueue = { enqueue: async () => "", position: async () => null, isHeldBack: async () => false, waiting: async () => 0, cancel: async () => {} };

export interface FinishedRun extends Partial<Omit<NewRun, "access">> {
  /** Unix time in ms. */
  at?: number;
  engines?: EngineVersion[];
  /** State, if it is not finished. */
  status?: RunStatus;
  crawl?: CrawlFacts;
  /** `short` and `gone`: evidence deleted to save space. */
  evidence?: Run["evidence"];
  /** Store for its pictures; undefined: the database. */
  pictures?: Pick<PictureStore, "put">;
}

/** Runs without a queue or a scanner. */
export function runsOf(db: Db, now?: () => number) {
  const box = createSecretBox(["a secret of the tests"]);
  return createRuns({ db, queues: { page: noQueue, site: noQueue }, box, retentionDays: 365, now });
}

/** Finished run with its results. */
export async function finishedRun(db: Db, results: PageResult[], { at = 1_000, engines = ENGINES, status, crawl, evidence, pictures, ...request }: FinishedRun = {}): Promise<Run> {
  const runs = runsOf(db, () => at);
  const owner = request.owner ?? "ada";
  const { id } = await runs.start({ url: results[0]?.url ?? "https://shop.example/", scope: "site", standard: WCAG22AA, ...request, owner });
  const put = new Map<PageResult, StoredHashes | undefined>();
  for (const result of results) put.set(result, await pictures?.put(id, result));
  await db.transaction().execute(async (trx) => {
    for (const result of results) {
      await openPage(trx, id, result.url);
      await addResult(trx, id, result, engines, put.get(result));
    }
    await runs.conclude(trx, id);
    if (crawl) await trx.updateTable("run").set({ crawl: JSON.stringify(toStoredFacts(crawl)) }).where("id", "=", id).execute();
    if (evidence) await trx.updateTable("run").set({ evidence }).where("id", "=", id).execute();
    if (status) await trx.updateTable("run").set({ status, ...(status === "running" && { finished_at: null }) }).where("id", "=", id).execute();
  });
  return (await runs.ofOwner(id, owner)) as Run;
}

/** Report of a user, stored without a scan. @param marks marks in the markup, one for the only element of each violated rule */
export async function storedReport(db: Db, { id: owner }: Pick<Member, "id">, url: string, marks: string[] = []): Promise<string> {
  const violations = marks.map((mark, index) =>
    finding(`rule-${index}`, { impact: "critical", elementCount: 1, elements: [element({ html: `<i class="${mark}">` })] }),
  );
  const found = checkedPage({ url, findings: { violations, incomplete: [], passes: [], inapplicable: [] } });
  const { id } = await finishedRun(db, [found], { owner, scope: "page", at: Date.now() });
  return `/run/${id}`;
}

/** Adds users with these ids. */
export async function addUsers(db: Db, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    const person = { subject: id, email: `${id}@example.org`, email_key: `${id}@example.org`, email_verified: 1 as const };
    await db
      .insertInto("user")
      .values({ id, ...person, name: id, password: null, locale: "en", created_at: 0 })
      .execute();
  }
}
