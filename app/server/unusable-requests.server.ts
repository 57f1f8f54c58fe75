import type { Request, RequestHandler } from "express";

/** A form of ours has a few fields; none holds more than an address or a message. */
const MAX_BODY_BYTES = 65_536;
/** An event of the payment provider holds a whole object of theirs. */
const MAX_EVENT_BYTES = 1_000_000;
const EVENTS = "/webhooks/stripe";

const BASE = "http://host.invalid";

const PAGE_METHODS = ["GET", "HEAD", "POST"];
/** All that Remix hands on: what an address of the API does not do, it says itself. */
const API_METHODS = [...PAGE_METHODS, "PUT", "PATCH", "DELETE", "OPTIONS"];

declare module "express-serve-static-core" {
  interface Request {
    /** The status with which the request is refused, before anything is read of it. */
    refusedWith?: number;
  }
}

/** Where the server is to be reached. */
interface Bound {
  baseUrl: string;
  /** Somebody has said so (`BASE_URL`). */
  isSet: boolean;
}

/**
 * Turns requests that Remix would break on, or that nobody sends in earnest, into one for a page that says so: the answer
 * is an error page like any other, in the visitor's language.
 */
export function unusableRequests(bound: Bound): RequestHandler {
  const { baseUrl } = bound;
  return (request, response, next) => {
    takeOrigin(request);
    const status = refusal(request, bound);
    if (status !== undefined) {
      request.refusedWith = status;
      request.method = "GET";
      request.url = request.originalUrl = isApi(request) ? "/api/refused" : "/refused";
      if (!hasUsableHost(request)) request.headers.host = "localhost";
      // What is left of the body is not read.
      response.setHeader("Connection", "close");
    } else if (request.headers.origin === baseUrl) {
      // Remix compares `Origin` with the host as well, but does not know that a proxy may pass on another name.
      request.headers.host = new URL(baseUrl).host;
      delete request.headers["x-forwarded-host"];
    }
    next();
  };
}

/** Clients may send the whole address, as they would to a proxy (RFC 9112, 3.2.2); the path alone is ours. */
function takeOrigin(request: Request): void {
  if (!/^https?:\/\//i.test(request.originalUrl) || !URL.canParse(request.originalUrl)) return;
  const { pathname, search } = new URL(request.originalUrl);
  request.url = request.originalUrl = pathname + search;
}

function refusal(request: Request, bound: Bound): number | undefined {
  if (!(isApi(request) ? API_METHODS : PAGE_METHODS).includes(request.method)) return 405;
  if (!hasUsableHost(request) || !isUsablePath(request.originalUrl)) return 400;
  if (["GET", "HEAD"].includes(request.method)) return undefined;
  // No cookie counts for the API: whoever knows a token may come from anywhere.
  if (!isApi(request) && isFromElsewhere(request, bound)) return 403;
  // Browsers always say how long a form is; without it, only reading would tell.
  if (request.headers["transfer-encoding"] !== undefined) return 411;
  const most = request.path === EVENTS ? MAX_EVENT_BYTES : MAX_BODY_BYTES;
  return Number(request.headers["content-length"] ?? 0) > most ? 413 : undefined;
}

/** A form on somebody else's page must not spend our visitors' checks, change their settings or act for them. */
function isFromElsewhere({ headers }: Request, { baseUrl, isSet }: Bound): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (origin === undefined) return site === "cross-site" || site === "same-site";
  if (origin === baseUrl) return false;
  // Without it, a server is tried out, under whatever name it is reached by.
  return isSet || baseUrl.startsWith("https:") || !URL.canParse(origin) || new URL(origin).host !== host;
}

/** By the path that Remix sees, which has no steps up any more. */
function isApi({ originalUrl }: Request): boolean {
  const address = `${BASE}${originalUrl}`;
  return URL.canParse(address) && new URL(address).pathname.startsWith("/api/");
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
