import { exportFormats } from "~/reports/exports/formats";
import { standardName } from "~/findings/finding-views.server";
import type { Run } from "~/runs/run";

/** Run in the API: `Run` in `public/openapi.json`. Times as ISO 8601. */
export function runDocument(run: Run) {
  const { pages, failedPages, violations, incomplete, passes, inapplicable, elements, violatedRules, accepted, impacts } = run.stats;
  return {
    id: run.id,
    url: run.url,
    scope: run.scope,
    standard: standardName(run),
    level: run.standard.level,
    maxPages: run.maxPages,
    waitMs: run.waitMs,
    waitFor: run.waitFor,
    status: run.status,
    reason: run.reason,
    createdAt: iso(run.createdAt),
    startedAt: run.startedAt === null ? null : iso(run.startedAt),
    finishedAt: run.finishedAt === null ? null : iso(run.finishedAt),
    expiresAt: iso(run.expiresAt),
    engine: run.engines[0] ?? null,
    engines: run.engines,
    progress: { finishedPages: pages, knownPages: Math.max(1, pages, run.knownPages) },
    evidence: run.evidence,
    stats: { pages, failedPages, violations, incomplete, passes, inapplicable, elements, violatedRules, accepted, impacts },
    links: {
      self: apiPath(run.id),
      report: `/run/${run.id}`,
      exports: Object.fromEntries(exportFormats.map((format) => [format, `${apiPath(run.id)}/export.${format}`])),
    },
  };
}

export const apiPath = (runId: string): string => `/api/v1/runs/${runId}`;

const iso = (at: number) => new Date(at).toISOString();
