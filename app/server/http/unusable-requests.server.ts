import type { Request, RequestHandler } from "express";

/** Limit of ordinary forms: a few fields, none longer than an address or a message. */
const MAX_BODY_BYTES = 65_536;
/** Limit of a payment provider's event, which contains a whole object. */
const MAX_EVENT_BYTES = 1_000_000;
const EVENTS = "/webhooks/stripe";
/** Limit of a form with a picture; larger than the limit of logos, so that their refusal has a reason. */
const MAX_PICTURE_BYTES = 5_000_000;
const PICTURE_FORM = /^\/profile\/report-cover(\.data)?$/;
/** Limit of twenty notes of 1,000 characters: in non-Latin scripts, a character is sent as up to twelve bytes. */
const MAX_REVIEW_BYTES = 300_000;
const REVIEW_FORM = /^\/run\/[^/]+\/review(\/criteria)?(\.data)?$/;

const BASE = "http://host.invalid";

const PAGE_METHODS = ["GET", "HEAD", "POST"];
/** All methods that Remix passes on: API routes themselves refuse unsupported ones. */
const API_METHODS = [...PAGE_METHODS, "PUT", "PATCH", "DELETE", "OPTIONS"];

declare module "express-serve-static-core" {
  interface Request {
    /** Status and requested path of a request that is refused before its body is read. */
    refused?: { status: number; path: string };
  }
}

/** Public address of the server. */
interface Bound {
  baseUrl: string;
  /** True if `BASE_URL` is set. */
  isSet: boolean;
}

/**
 * Redirects requests internally to an error page, if they would break Remix or are never sent by real clients. The response
 * is an ordinary error page in the visitor's language.
 */
export function unusableRequests(bound: Bound): RequestHandler {
  const { baseUrl } = bound;
  return (request, response, next) => {
    takeOrigin(request);
    const status = refusal(request, bound);
    if (status !== undefined) {
      request.refused = { status, path: pathOf(request) };
      request.method = "GET";
      request.url = request.originalUrl = isApi(request) ? "/api/refused" : "/refused";
      if (!hasUsableHost(request)) request.headers.host = "localhost";
      // Close, because the rest of the body is not read.
      response.setHeader("Connection", "close");
    } else if (request.headers.origin === baseUrl) {
      // Public host name: Remix compares `Origin` with the host, and a proxy may forward another name.
      request.headers.host = new URL(baseUrl).host;
      delete request.headers["x-forwarded-host"];
    }
    next();
  };
}

/** Reduces an absolute URL, which clients may send as to a proxy (RFC 9112, 3.2.2), to its path. */
function takeOrigin(request: Request): void {
  if (!/^https?:\/\//i.test(request.originalUrl) || !URL.canParse(request.originalUrl)) return;
  const { pathname, search } = new URL(request.originalUrl);
  request.url = request.originalUrl = pathname + search;
}

function refusal(request: Request, bound: Bound): number | undefined {
  if (!(isApi(request) ? API_METHODS : PAGE_METHODS).includes(request.method)) return 405;
  if (!hasUsableHost(request) || !isUsablePath(request.originalUrl)) return 400;
  if (["GET", "HEAD"].includes(request.method)) return undefined;
  // Not for the API: it ignores cookies, and requests with a token may come from any origin.
  if (!isApi(request) && isFromElsewhere(request, bound)) return 403;
  // Browsers always send the length of a form; without it, the size is unknown before reading.
  if (request.headers["transfer-encoding"] !== undefined) return 411;
  return Number(request.headers["content-length"] ?? 0) > mostBytes(request) ? 413 : undefined;
}

function mostBytes({ path, headers }: Request): number {
  if (path === EVENTS) return MAX_EVENT_BYTES;
  if (PICTURE_FORM.test(path) && headers["content-type"]?.startsWith("multipart/form-data")) return MAX_PICTURE_BYTES;
  return REVIEW_FORM.test(path) ? MAX_REVIEW_BYTES : MAX_BODY_BYTES;
}

/** CSRF protection: true for forms on other sites, which must not use up visitors' checks, change their settings or act for them. */
function isFromElsewhere({ headers }: Request, { baseUrl, isSet }: Bound): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (origin === undefined) return site === "cross-site" || site === "same-site";
  if (origin === baseUrl) return false;
  // Without `BASE_URL`, on test servers, any host name is accepted.
  return isSet || baseUrl.startsWith("https:") || !URL.canParse(origin) || new URL(origin).host !== host;
}

const isApi = (request: Request) => pathOf(request).startsWith("/api/");

/** Path for Remix, with `..` resolved; "" for none. */
function pathOf({ originalUrl }: Request): string {
  const address = `${BASE}${originalUrl}`;
  return URL.canParse(address) ? new URL(address).pathname : "";
}

function hasUsableHost({ headers }: Request): boolean {
  return URL.canParse(`http://${headers.host ?? ""}`);
}

function isUsablePath(path: string): boolean {
  if (!URL.canParse(path, BASE)) return false;
  try {
    decodeURI(path.split("?", 1)[0] ?? "");
    return true;
  } catch {
    return false;
  }
}
