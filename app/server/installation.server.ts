import type { Env } from "~/platform/env.server";
import { InvalidSetting } from "~/platform/env.server";
import type { EventLog } from "~/platform/event-log";
import { SINGLE_PROCESS, type Installation } from "~/platform/installation/installation";
import { joinInstallation } from "~/platform/installation/postgres-installation.server";
import { IN_MEMORY, type Counting } from "~/platform/limits/rate-limit.server";
import { createSharedCounting } from "~/platform/limits/shared-counting.server";
import { usesPostgres } from "./storage/postgres-database.server";

interface Joined {
  installation: Installation;
  /** Counters of attempts, for rate limits. */
  counting: Counting;
}

/** All processes on the same PostgreSQL database; with an SQLite file, only this one. @throws {InvalidSetting} */
export async function openInstallation(env: Env, { secret, log }: { secret: string; log: EventLog }): Promise<Joined> {
  if (!usesPostgres(env)) return { installation: SINGLE_PROCESS, counting: IN_MEMORY };
  const joined = await joinInstallation({ url: env.DATABASE_URL, mayLead: env.ROLE !== "worker", isWorking: env.ROLE !== "web", log }).catch((error: unknown) => {
    throw new InvalidSetting(`DATABASE_URL is unusable: notifications want a connection of their own to the database (${(error as Error).message}).`);
  });
  const counting = createSharedCounting({
    secret,
    query: async ({ text, values }) => {
      const rows = await joined.query(text, values);
      return { rows, rowCount: rows.length };
    },
  });
  return { installation: joined, counting };
}
