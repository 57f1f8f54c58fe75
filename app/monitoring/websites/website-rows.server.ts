import { domainToUnicode } from "node:url";
import { runRows } from "~/reports/run-rows.server";
import type { Pages } from "~/runs/page.server";
import type { RunChange } from "./run-changes.server";
import { websiteId, type WebsiteRow } from "./website";
import type { WebsiteDetails, WebsiteSummary, Websites } from "./websites.server";

interface RowServices {
  websites: Pick<Websites, "details">;
  pages: Pick<Pages, "reachedFirst">;
}

/** Websites for a list, in the same order. */
export async function websiteRows({ websites, pages }: RowServices, owner: string, listed: WebsiteSummary[]): Promise<WebsiteRow[]> {
  const details = await websites.details(owner, listed);
  const runs = await runRows([...details.values()].flatMap(({ last }) => last ?? []), pages);
  const byId = new Map(runs.map((run) => [run.id, run]));
  return listed.map(({ origin, lastRun }) => {
    const { line = [], open = null, schedule = null, picturePage = null, changes = null } = details.get(origin) ?? ({} as Partial<WebsiteDetails>);
    const last = byId.get(lastRun ?? "") ?? null;
    return {
      id: websiteId(origin),
      name: nameOf(origin),
      last,
      change: changes && changeOf(changes),
      trend: line.length > 1 ? line.map(({ elements }) => elements) : [],
      trendRuns: line.map(({ id }) => id),
      open: open && { id: open.id, status: open.status === "running" ? "running" : "queued" },
      next: schedule && { at: schedule.nextRunAt, every: schedule.every, paused: schedule.paused !== null },
      picture: last && picturePage !== null ? `/run/${last.id}/pages/${picturePage}/picture` : null,
    };
  });
}

/** Name of a website for display. */
function nameOf(origin: string): string {
  const { protocol, hostname, port } = new URL(origin);
  const host = `${domainToUnicode(hostname) || hostname}${port && `:${port}`}`;
  return protocol === "https:" ? host : `${protocol}//${host}`;
}

function changeOf(changes: RunChange): NonNullable<WebsiteRow["change"]> {
  if (changes.before === null) return changes;
  const { before, totals } = changes;
  // Elements of newly supported rules are neither new nor fixed.
  return { before, fresh: totals.new, fixed: totals.fixed, unknown: totals.engine + totals.not_checked_after + totals.not_checked_before };
}
