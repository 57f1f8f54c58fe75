import type { LoaderFunctionArgs } from "@remix-run/node";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { guidedRules } from "~/findings/rules/guide.server";
import { searchEntries } from "~/platform/i18n/search-pages";

/** Pages for search engines (https://www.sitemaps.org/protocol.html), with their other languages. */
export function loader({ context }: LoaderFunctionArgs) {
  const rulePaths = guidedRules().map((id) => `/rules/${id}`);
  const urls = searchEntries(context.services.env.BASE_URL, rulePaths).map(({ canonical, alternates }) => {
    const links = alternates.map(
      ({ hrefLang, href }) => `<xhtml:link rel="alternate" hreflang="${hrefLang}" href="${escapeXml(href)}"/>`,
    );
    return `<url><loc>${escapeXml(canonical)}</loc>${links.join("")}</url>`;
  });
  const namespaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${namespaces}>\n${urls.join("\n")}\n</urlset>\n`;
  return new Response(xml, { headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" } });
}

export const action = methodNotAllowed;

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
