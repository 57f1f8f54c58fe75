import type { AppLoadContext } from "@remix-run/node";
import type { ScheduledRun } from "./schedule.server";

/**
 * Data about the repetition of a run for a page: its schedule, whether a plan includes one, and the data for its form.
 * @param path of the page
 */
export async function repeatedScan({ services, visitor }: AppLoadContext, owner: string, run: ScheduledRun, path: string) {
  const user = await visitor.user();
  return {
    url: run.url,
    scope: run.scope,
    schedule: (await services.schedules.of(owner, run)) ?? null,
    excluded: await services.schedules.exclusionFor(owner, run),
    kept: await visitor.takeKept(path),
    email: user?.email ?? "",
    emailVerified: user?.emailVerified ?? false,
  };
}
