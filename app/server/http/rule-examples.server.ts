import type { RequestHandler } from "express";
import { EXAMPLE_KINDS, exampleDocument } from "~/findings/rules/guide.server";
import { isLocale } from "~/platform/i18n/i18n";

/** Security policy of examples: they have their own styles, which other pages may not have, but run no scripts and send nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the example of a rule at `/rules/{id}/{fails|passes}.{language}.html`, after the general security headers. */
export const ruleExamples: RequestHandler = (request, response, next) => {
  const [, id = "", name, locale] = /^\/rules\/([a-z0-9-]+)\/([a-z]+)\.([a-z-]+)\.html$/.exec(request.path) ?? [];
  const kind = EXAMPLE_KINDS.find((each) => each === name);
  const html = kind && isLocale(locale) ? exampleDocument(id, kind, locale) : null;
  if (html === null || (request.method !== "GET" && request.method !== "HEAD")) return next();
  response
    .set({ "Content-Security-Policy": POLICY, "Content-Language": locale, "X-Robots-Tag": "noindex, nofollow", "Cache-Control": "public, max-age=3600" })
    .type("html")
    .send(html);
};
