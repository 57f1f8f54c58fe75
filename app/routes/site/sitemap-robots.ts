import type { LoaderFunctionArgs } from "@remix-run/node";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";

/** Beginnings of paths that are somebody's own, or the same for no two visitors. */
const PRIVATE = ["/run/", "/runs", "/check/", "/shared/", "/profile", "/account/", "/setup", "/unsubscribe/", "/api/v1/"];

/** What search engines may visit (RFC 9309), and where they find a list of it. */
export function loader({ context }: LoaderFunctionArgs) {
  const rules = ["User-agent: *", ...PRIVATE.map((path) => `Disallow: ${path}`)];
  const text = `${rules.join("\n")}\n\nSitemap: ${context.services.env.BASE_URL}/sitemap.xml\n`;
  return new Response(text, { headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" } });
}

export const action = methodNotAllowed;
