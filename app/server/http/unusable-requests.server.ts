import type { Request, RequestHandler } from "express";

/** Our forms have a few fields, none longer than an address or a message. */
const MAX_BODY_BYTES = 65_536;
/** An event of the payment provider contains a whole object. */
const MAX_EVENT_BYTES = 1_000_000;
const EVENTS = "/webhooks/stripe";
/** A form with a picture; larger ones than a logo may have are refused with a reason. */
const MAX_PICTURE_BYTES = 5_000_000;
const PICTURE_FORM = /^\/profile\/report-cover(\.data)?$/;
/** Twenty notes of 1,000 characters: in other scripts than the Latin one, a character is sent as up to twelve bytes. */
const MAX_REVIEW_BYTES = 300_000;
const REVIEW_FORM = /^\/run\/[^/]+\/review(\/criteria)?(\.data)?$/;

const BASE = "http://host.invalid";

const PAGE_METHODS = ["GET", "HEAD", "POST"];
/** All methods that Remix passes on: API routes refuse unsupported ones themselves. */
const API_METHODS = [...PAGE_METHODS, "PUT", "PATCH", "DELETE", "OPTIONS"];

declare module "express-serve-static-core" {
  interface Request {
    /** Status of a request that is refused before its body is read, and the path that was asked for. */
    refused?: { status: number; path: string };
  }
}

/** Public address of the server. */
interface Bound {
  baseUrl: string;
  /** `BASE_URL` is set. */
  isSet: boolean;
}

/**
 * Redirects requests that would break Remix, or that real clients never send, internally to an error page: the response
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
      // The rest of the body is not read.
      response.setHeader("Connection", "close");
    } else if (request.headers.origin === baseUrl) {
      // Remix also compares `Origin` with the host, but does not know that a proxy may forward another name.
      request.headers.host = new URL(baseUrl).host;
      delete request.headers["x-forwarded-host"];
    }
    next();
  };
}

/** Clients may send the absolute URL, as to a proxy (RFC 9112, 3.2.2); only its path is used. */
function takeOrigin(request: Request): void {
  if (!/^https?:\/\//i.test(request.originalUrl) || !URL.canParse(request.originalUrl)) return;
  const { pathname, search } = new URL(request.originalUrl);
  request.url = request.originalUrl = pathname + search;
}

function refusal(request: Request, bound: Bound): number | undefined {
  if (!(isApi(request) ? API_METHODS : PAGE_METHODS).includes(request.method)) return 405;
  if (!hasUsableHost(request) || !isUsablePath(request.originalUrl)) return 400;
  if (["GET", "HEAD"].includes(request.method)) return undefined;
  // The API ignores cookies: requests with a token may come from any origin.
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

/** CSRF protection: forms on other sites must not use up visitors' checks, change their settings or act for them. */
function isFromElsewhere({ headers }: Request, { baseUrl, isSet }: Bound): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (origin === undefined) return site === "cross-site" || site === "same-site";
  if (origin === baseUrl) return false;
  // `BASE_URL` is not set on test servers: any host name is accepted there.
  return isSet || baseUrl.startsWith("https:") || !URL.canParse(origin) || new URL(origin).host !== host;
}

const isApi = (request: Request) => pathOf(request).startsWith("/api/");

/** The path that Remix sees, with `..` resolved; "" for none. */
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
