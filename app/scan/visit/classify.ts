import { botProtection, type AnswerSigns } from "./bot-protection";
import type { EgressOutcome } from "~/scan/network/egress";
import type { EgressTrace } from "~/scan/network/egress-trace";
import type { DocumentResponse } from "~/scan/network/network-watch";
import type { FailureDetail, Reason } from "~/scan/types";
import { isWebAddress } from "~/scan/network/web-address";

/** Reason why a page cannot be checked. */
export interface Failure {
  reason: Reason;
  detail: FailureDetail;
}

/** Chromium's errors (net/base/net_error_list.h) and our reason for each; the first match counts. */
const NET_ERRORS: [pattern: RegExp, reason: Reason][] = [
  [/^net::ERR_TOO_MANY_REDIRECTS$/, "redirect_loop"],
  [/^net::ERR_(NAME_|DNS_|ICANN_)/, "dns"],
  [/^net::ERR_(CERT|SSL|BAD_SSL|TLS)|_PINNED_KEY|_CERT_/, "tls"],
  [/TIMED_OUT$/, "timeout"],
  // Forbidden redirect targets: local files, data, the browser's own pages.
  [
    /^net::ERR_(UNSAFE_REDIRECT|UNSAFE_PORT|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME|ACCESS_DENIED)/,
    "blocked_address",
  ],
  [/^net::ERR_BLOCKED_BY_(ADMINISTRATOR|CLIENT|PRIVATE_NETWORK|LOCAL_NETWORK)/, "blocked_address"],
  [/^net::ERR_INVALID_URL|^net::ERR_INVALID_REDIRECT/, "invalid_url"],
  // A site cannot abort a request: the page's process crashed before the answer.
  [/^net::ERR_(ABORTED|INSUFFICIENT_RESOURCES|OUT_OF_MEMORY)/, "crashed"],
  [/^net::ERR_FILE_TOO_BIG|^net::ERR_RESPONSE_HEADERS_TOO_BIG/, "too_large"],
];

const EGRESS: Record<EgressOutcome["kind"], Reason> = {
  blocked: "blocked_address",
  dns: "dns",
  refused: "refused",
  timeout: "timeout",
  // The host accepts the connection, but closes it without an answer.
  reset: "refused",
  garbled: "refused",
  overflow: "too_large",
};

/**
 * Judges a document that could not be loaded.
 * @param error Chromium's error, such as `net::ERR_CONNECTION_REFUSED`
 * @param url the last address reached
 */
export function failureOfLoading(error: string, trace: EgressTrace, url: string): Failure {
  // A redirect to another program or to a script: Chromium gives no reason.
  if (error === "net::ERR_ABORTED" && !isWebAddress(url))
    return { reason: "blocked_address", detail: { technical: error, address: url } };
  // The site itself claims to be a proxy and asks for a password.
  if (error === "net::ERR_UNEXPECTED_PROXY_AUTH")
    return { reason: "http_status", detail: { httpStatus: 407, technical: error } };
  const byBrowser = NET_ERRORS.find(([pattern]) => pattern.test(error))?.[1];
  // Chromium only sees a refusal of its proxy; but it detects bad certificates and redirect loops itself.
  const { outcome } = trace;
  if (outcome && byBrowser !== "tls" && byBrowser !== "redirect_loop")
    return failureOfEgress(outcome, trace.address);
  return { reason: byBrowser ?? "refused", detail: { technical: error } };
}

export function failureOfEgress(outcome: EgressOutcome, address?: string): Failure {
  return { reason: EGRESS[outcome.kind], detail: { technical: outcome.technical, address } };
}

/** Media types of web pages; an SVG file without text and links turns out to be a picture. */
const PAGES = new Set(["text/html", "application/xhtml+xml", "image/svg+xml"]);

/** Judges an answer by its headers alone, so that bodies of non-pages are not read. */
export function failureOfResponse(
  { status, mimeType, headers }: DocumentResponse,
  maxBytes: number,
): Failure | undefined {
  const detail: FailureDetail = {
    httpStatus: status,
    contentType: headers["content-type"] ?? mimeType,
    retryAfterMs: retryAfter(headers),
  };
  const vendor = botProtection({ status, headers, title: "", markup: "" });
  if (vendor) return { reason: "bot_protection", detail: { ...detail, technical: vendor } };
  if (status === 204 || status === 205) return { reason: "empty", detail };
  // Error statuses come first; an HTML error page may turn out to be a bot protection's.
  if (status >= 400) return PAGES.has(mimeType) ? undefined : { reason: reasonOfStatus(status), detail };
  // A partial answer that was not requested, or a redirect without a target.
  if (status === 206 || status >= 300) return { reason: "http_status", detail };
  if (/^\s*attachment\b/i.test(headers["content-disposition"] ?? "")) return { reason: "download", detail };
  if (mimeType === "application/octet-stream") return { reason: "download", detail };
  if (!PAGES.has(mimeType)) return { reason: "not_html", detail };
  if (Number(headers["content-length"]) > maxBytes) {
    return {
      reason: "too_large",
      detail: { ...detail, technical: `${headers["content-length"]} bytes announced` },
    };
  }
  return undefined;
}

/**
 * Judges a loaded document: does it belong to the site, is it a page, and does it have content?
 * @param isPicture an SVG document that is only a drawing
 * @param error Chromium's error that interrupted the document, if any
 */
export function failureOfDocument(
  signs: AnswerSigns,
  { hasContent, isPicture }: { hasContent: boolean; isPicture: boolean },
  error?: string,
): Failure | undefined {
  const detail: FailureDetail = { httpStatus: signs.status, retryAfterMs: retryAfter(signs.headers) };
  const vendor = botProtection(signs);
  if (vendor) return { reason: "bot_protection", detail: { ...detail, technical: vendor } };
  if (signs.status >= 400) return { reason: reasonOfStatus(signs.status), detail };
  if (isPicture) return { reason: "not_html", detail: { ...detail, contentType: signs.headers["content-type"] } };
  return hasContent ? undefined : { reason: "empty", detail: { ...detail, technical: error } };
}

/** Reason for status 400 and above: 401 asks for credentials; 403 refuses, with or without them. */
const reasonOfStatus = (status: number): Reason => (status === 401 ? "login_required" : "http_status");

/** Time in ms; `Retry-After` is given in seconds or as a date (RFC 9110, 10.2.3). */
function retryAfter(headers: Record<string, string>, now = Date.now()): number | undefined {
  const value = headers["retry-after"]?.trim();
  if (!value) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
