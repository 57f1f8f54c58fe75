import { sql } from "kysely";
import type { Db } from "db/schema";
import { DAY_MS } from "~/platform/durations";

const WINDOW_MS = 30 * DAY_MS;

export interface Figures {
  /** Number of sites (hosts without `www.`) with at least one succeeded run that finished in the last 30 days. */
  last30days: number;
  /**
   * Elements that violate a rule, per run: first the mean over the runs of each of those sites, then the mean over the
   * sites, so that a site with hourly checks has the same weight as any other. Pages that could not be checked do not
   * count. Null if there is no site.
   */
  avgErrorsPerSite: number | null;
}

export interface StatisticsOptions {
  db: Db;
  cacheMs?: number;
  now?: () => number;
}

export type Statistics = ReturnType<typeof createStatistics>;

/** Numbers of the home page; `read` queries the database at most once in `cacheMs`. */
export function createStatistics({ db, cacheMs = 60_000, now = Date.now }: StatisticsOptions) {
  let cached: { at: number; value: Promise<Figures> } | undefined;

  return { read };

  function read(): Promise<Figures> {
    const at = now();
    if (cached && at - cached.at < cacheMs) return cached.value;
    const entry = { at, value: count(at) };
    cached = entry;
    // Errors are not cached: only the current caller gets them.
    entry.value.catch(() => {
      if (cached === entry) cached = undefined;
    });
    return entry.value;
  }

  async function count(at: number): Promise<Figures> {
    const sites = db
      .selectFrom("run")
      .select((eb) => eb.fn.avg<number>("elements").as("errors"))
      .where("status", "=", sql.lit("succeeded"))
      .where("finished_at", ">", at - WINDOW_MS)
      .groupBy("site");
    const { last30days, avgErrorsPerSite } = await db
      .selectFrom(sites.as("site"))
      .select((eb) => [
        eb.fn.countAll<number>().as("last30days"),
        eb.fn.avg<number | null>("errors").as("avgErrorsPerSite"),
      ])
      .executeTakeFirstOrThrow();
    return { last30days, avgErrorsPerSite };
  }
}
