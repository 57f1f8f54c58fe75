import type { Request, RequestHandler } from "express";

/** A form of ours has a few fields; none holds more than an address or a message. */
const MAX_BODY_BYTES = 65_536;

const BASE = "http://host.invalid";

declare module "express-serve-static-core" {
  interface Request {
    /** The status with which the request is refused, before anything is read of it. */
    refusedWith?: number;
  }
}

/**
 * Turns requests that Remix would break on, or that nobody sends in earnest, into one for a page that says so: the answer
 * is an error page like any other, in the visitor's language.
 */
export function unusableRequests(): RequestHandler {
  return (request, response, next) => {
    const status = refusal(request);
    if (status !== undefined) {
      request.refusedWith = status;
      request.method = "GET";
      request.url = request.originalUrl = "/refused";
      if (!hasUsableHost(request)) request.headers.host = "localhost";
      // What is left of the body is not read.
      response.setHeader("Connection", "close");
    }
    next();
  };
}

function refusal(request: Request): number | undefined {
  if (!["GET", "HEAD", "POST"].includes(request.method)) return 405;
  if (!hasUsableHost(request) || !isUsablePath(request.originalUrl)) return 400;
  if (request.method !== "POST") return undefined;
  // Browsers always say how long a form is; without it, only reading would tell.
  if (request.headers["transfer-encoding"] !== undefined) return 411;
  return Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES ? 413 : undefined;
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
