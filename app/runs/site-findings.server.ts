import type { Db, Trx } from "db/schema";
import { storeFindings } from "~/findings/finding.server";
import { OWN_RULE_TEXTS } from "~/findings/rules/texts.server";
import type { CrawlFacts } from "~/scan/crawl/facts";
import { deadAddress, judgeSite, MOST_COMPARED_PAGES, type ComparedPage, type ComparedSite, type SiteFindings } from "~/scan/site/judge-site";
import type { SiteFacts } from "~/scan/site/site-facts";
import type { EngineVersion, Standard } from "~/scan/types";
import { dropPageFacts } from "./page.server";
import { addFindings } from "./run-sums.server";

/** Findings of the rules about whole sites in the pages of a run, which are all stored. */
export async function siteFindings(db: Db, runId: string, crawled: CrawlFacts, standard: Standard): Promise<SiteFindings> {
  const compared = { pages: await comparedPages(db, runId), dead: await deadAddresses(db, runId) };
  return judgeSite(compared, crawled, { standard, texts: OWN_RULE_TEXTS });
}

/** Adds the findings to their pages and to the sums of the run. Deletes the facts of the pages, which are no longer needed. */
export async function storeSiteFindings(trx: Trx, runId: string, found: SiteFindings, engines: EngineVersion[]): Promise<void> {
  for (const [url, findings] of found) {
    const { id: pageId } = await trx.selectFrom("page").select("id").where("run_id", "=", runId).where("url", "=", url).executeTakeFirstOrThrow();
    await addFindings(trx, runId, findings, await storeFindings(trx, { runId, pageId }, findings, engines));
  }
  await dropPageFacts(trx, runId);
}

/** Default values for a run that an earlier version began. */
const NOT_STORED_BEFORE: Pick<SiteFacts, "links" | "versions"> = { links: [], versions: [] };

async function comparedPages(db: Db, runId: string): Promise<ComparedPage[]> {
  const rows = await db
    .selectFrom("page_facts")
    .innerJoin("page", "page.id", "page_facts.page_id")
    .select(["page.url", "page.final_url", "page.title", "page.lang", "page_facts.facts"])
    .where("page.run_id", "=", runId)
    .orderBy("page.position")
    .limit(MOST_COMPARED_PAGES)
    .execute();
  return rows.map(({ url, final_url, title, lang, facts }) => {
    return { url, finalUrl: final_url ?? url, title: title ?? "", lang: lang ?? "", facts: { ...NOT_STORED_BEFORE, ...(JSON.parse(facts) as SiteFacts) } };
  });
}

async function deadAddresses(db: Db, runId: string): Promise<ComparedSite["dead"]> {
  const rows = await db
    .selectFrom("page")
    .select(["url", "reason", "http_status"])
    .where("run_id", "=", runId)
    .where("reason", "in", ["http_status", "dns"])
    .orderBy("position")
    .execute();
  return rows.flatMap(({ url, reason, http_status }) => (reason && deadAddress(url, reason, http_status)) ?? []);
}
