import type { Run } from "~/runs/run";
import { isWholeRun } from "./coverage.server";
import { standardName } from "~/findings/finding-views.server";
import { reachedBy } from "~/findings/page-address";
import type { Pages } from "~/runs/page.server";
import type { RunRow } from "~/runs/run-view";

/** Runs for a list. */
export async function runRows(runs: Run[], pages: Pick<Pages, "reachedFirst">): Promise<RunRow[]> {
  const reached = await pages.reachedFirst(runs.map(({ id }) => id));
  return runs.map((run) => runRow(run, reached.get(run.id) ?? null));
}

function runRow(run: Run, finalUrl: string | null): RunRow {
  const { pages, failedPages, violatedRules, elements, accepted } = run.stats;
  return {
    id: run.id,
    url: run.url,
    reached: reachedBy({ url: run.url, finalUrl }),
    scope: run.scope,
    standard: standardName(run),
    status: run.status,
    reason: run.reason,
    createdAt: run.createdAt,
    knownPages: run.knownPages,
    pages,
    failedPages,
    isWhole: isWholeRun(run),
    violatedRules,
    elements,
    accepted,
  };
}
