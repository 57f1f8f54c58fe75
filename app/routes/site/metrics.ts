import { createHash, timingSafeEqual } from "node:crypto";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";

/** Metrics for Prometheus; requests need `METRICS_TOKEN`. Without this setting, 404. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const { env, metrics } = context.services;
  if (!env.METRICS_TOKEN) return new Response("Not found\n", { status: 404 });
  if (!isSame(request.headers.get("Authorization") ?? "", `Bearer ${env.METRICS_TOKEN}`)) {
    return new Response("Unauthorized\n", { status: 401, headers: { "WWW-Authenticate": "Bearer" } });
  }
  const { type, text } = await metrics();
  return new Response(text, { headers: { "Content-Type": type, "Cache-Control": "no-store" } });
}

export const action = methodNotAllowed;

/** Compares in constant time. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
