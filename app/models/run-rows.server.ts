import type { Run } from "./run.server";
import { standardName } from "./finding-views.server";
import type { RunRow } from "~/lib/run-view";

/** What a list shows of a run. */
export function runRow(run: Run): RunRow {
  const { pages, failedPages, violatedRules, elements } = run.stats;
  return {
    id: run.id,
    url: run.url,
    scope: run.scope,
    standard: standardName(run),
    status: run.status,
    reason: run.reason,
    createdAt: run.createdAt,
    knownPages: run.knownPages,
    pages,
    failedPages,
    violatedRules,
    elements,
  };
}
