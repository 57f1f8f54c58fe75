import type { Db } from "db/schema";
import type { Schedule } from "./schedule.server";

/** A repetition among all of its owner's. */
export interface ListedSchedule extends Schedule {
  id: string;
  url: string;
  scope: "page" | "site";
  /** The latest of its runs, where it is changed; null when all of them are deleted. */
  latestRun: string | null;
}

export type ScheduleLists = ReturnType<typeof createScheduleLists>;

/** All repetitions of a user. */
export function createScheduleLists({ db }: { db: Db }) {
  return { list, end };

  /** By address. */
  async function list(owner: string): Promise<ListedSchedule[]> {
    const rows = await db
      .selectFrom("schedule")
      .select(["id", "url", "scope", "every", "next_run_at", "mails", "paused"])
      .select((eb) =>
        eb
          .selectFrom("run")
          .select("run.id")
          .whereRef("run.owner", "=", "schedule.owner")
          .whereRef("run.url", "=", "schedule.url")
          .whereRef("run.scope", "=", "schedule.scope")
          .where("run.deleted_at", "is", null)
          .orderBy("run.created_at", "desc")
          .limit(1)
          .as("latestRun"),
      )
      .where("owner", "=", owner)
      .orderBy("url")
      .orderBy("scope")
      .execute();
    return rows.map(({ next_run_at, mails, ...row }) => ({ ...row, nextRunAt: next_run_at, mails: mails === 1 }));
  }

  /** False for one that there is none of, also for somebody else's. */
  async function end(owner: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom("schedule")
      .where("owner", "=", owner)
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
}
