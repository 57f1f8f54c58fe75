import { createHash, timingSafeEqual } from "node:crypto";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { PROMETHEUS_TYPE, writeGauges, type Gauge } from "~/platform/http/prometheus";
import type { Health, Storage } from "~/server/services.server";
import type { Backlog } from "~/runs/metrics.server";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";

/** Metrics for Prometheus; requests need `METRICS_TOKEN`. Without this setting, 404. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const { env, health, storage, metrics } = context.services;
  if (!env.METRICS_TOKEN) return new Response("Not found\n", { status: 404 });
  if (!isSame(request.headers.get("Authorization") ?? "", `Bearer ${env.METRICS_TOKEN}`)) {
    return new Response("Unauthorized\n", { status: 401, headers: { "WWW-Authenticate": "Bearer" } });
  }
  const gauges = gaugesOf(await health(), storage(), await metrics.backlog(), Date.now());
  return new Response(writeGauges(gauges), { headers: { "Content-Type": PROMETHEUS_TYPE, "Cache-Control": "no-store" } });
}

export const action = methodNotAllowed;

/** Constant-time comparison. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

function gaugesOf({ database, scanner, disk }: Health, { freeBytes, evidenceBytes }: Storage, { jobs, mails }: Backlog, now: number): Gauge[] {
  const healthy = (part: string, state: "ok" | "low" | "failed") => ({ labels: { part }, value: state === "ok" ? 1 : 0 });
  return [
    { name: "rampe_healthy", help: "Whether a part works.", samples: [healthy("database", database), healthy("scanner", scanner), healthy("disk", disk)] },
    { name: "rampe_disk_free_bytes", help: "Free space where the database lies.", samples: [{ value: freeBytes }] },
    { name: "rampe_evidence_bytes", help: "What stored elements and their pictures take.", samples: [{ value: evidenceBytes }] },
    {
      name: "rampe_jobs",
      help: "Scans that wait and that are under way.",
      samples: jobs.flatMap(({ queue, waiting, running }) => [
        { labels: { queue, state: "waiting" }, value: waiting },
        { labels: { queue, state: "running" }, value: running },
      ]),
    },
    {
      name: "rampe_oldest_job_seconds",
      help: "How long the oldest scan that is due has been waiting.",
      samples: jobs.map(({ queue, oldest }) => ({ labels: { queue }, value: oldest === null ? 0 : Math.max(0, now - oldest) / 1_000 })),
    },
    {
      name: "rampe_mails",
      help: "Mails that wait to be sent, and that could not be sent.",
      samples: [
        { labels: { state: "waiting" }, value: mails.waiting },
        { labels: { state: "given_up" }, value: mails.givenUp },
      ],
    },
    { name: "process_resident_memory_bytes", help: "Memory of the server, without its browsers.", samples: [{ value: process.memoryUsage.rss() }] },
    { name: "process_start_time_seconds", help: "When the server was started.", samples: [{ value: now / 1_000 - process.uptime() }] },
  ];
}
