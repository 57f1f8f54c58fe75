import type { ListedSchedule } from "~/monitoring/schedule-list.server";

/** Schedule in the API: `Schedule` in `public/openapi.json`. Times as ISO 8601. */
export function scheduleDocument({ id, url, scope, level, every, hour, nextRunAt, mails, hasAccess, paused, latestRun }: ListedSchedule) {
  return { id, url, scope, level, every, hour, nextRunAt: new Date(nextRunAt).toISOString(), mails, hasAccess, paused, latestRun };
}
