import type { LoaderFunctionArgs } from "@remix-run/node";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";

/** Path prefixes of private pages, and of pages that differ for each visitor. */
const PRIVATE = ["/run/", "/runs", "/check/", "/shared/", "/profile", "/account/", "/setup", "/unsubscribe/", "/api/v1/"];

/** robots.txt (RFC 9309): disallowed paths, and the address of the sitemap. */
export function loader({ context }: LoaderFunctionArgs) {
  const rules = ["User-agent: *", ...PRIVATE.map((path) => `Disallow: ${path}`)];
  const text = `${rules.join("\n")}\n\nSitemap: ${context.services.env.BASE_URL}/sitemap.xml\n`;
  return new Response(text, { headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" } });
}

export const action = methodNotAllowed;
