import { botProtection, type AnswerSigns } from "./bot-protection";
import type { EgressOutcome } from "~/scan/network/egress";
import type { EgressTrace } from "~/scan/network/egress-trace";
import type { DocumentResponse } from "~/scan/network/network-watch";
import type { FailureDetail, Reason } from "~/scan/types";
import { isWebAddress } from "~/scan/network/web-address";

/** Why a page cannot be checked. */
export interface Failure {
  reason: Reason;
  detail: FailureDetail;
}

/** Chromium's errors (net/base/net_error_list.h) by what they mean for us; the first that fits counts. */
const NET_ERRORS: [pattern: RegExp, reason: Reason][] = [
  [/^net::ERR_TOO_MANY_REDIRECTS$/, "redirect_loop"],
  [/^net::ERR_(NAME_|DNS_|ICANN_)/, "dns"],
  [/^net::ERR_(CERT|SSL|BAD_SSL|TLS)|_PINNED_KEY|_CERT_/, "tls"],
  [/TIMED_OUT$/, "timeout"],
  // Where a redirect may not lead: files of the machine, data, the browser's own pages.
  [
    /^net::ERR_(UNSAFE_REDIRECT|UNSAFE_PORT|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME|ACCESS_DENIED)/,
    "blocked_address",
  ],
  [/^net::ERR_BLOCKED_BY_(ADMINISTRATOR|CLIENT|PRIVATE_NETWORK|LOCAL_NETWORK)/, "blocked_address"],
  [/^net::ERR_INVALID_URL|^net::ERR_INVALID_REDIRECT/, "invalid_url"],
  // Nobody out there aborts a request: the page's process has died before the answer came.
  [/^net::ERR_(ABORTED|INSUFFICIENT_RESOURCES|OUT_OF_MEMORY)/, "crashed"],
  [/^net::ERR_FILE_TOO_BIG|^net::ERR_RESPONSE_HEADERS_TOO_BIG/, "too_large"],
];

const EGRESS: Record<EgressOutcome["kind"], Reason> = {
  blocked: "blocked_address",
  dns: "dns",
  refused: "refused",
  timeout: "timeout",
  // Somebody answers there, but hangs up before a word is said.
  reset: "refused",
  garbled: "refused",
  overflow: "too_large",
};

/**
 * Judges a document that could not be loaded.
 * @param error Chromium's, such as `net::ERR_CONNECTION_REFUSED`
 * @param url how far it got
 */
export function failureOfLoading(error: string, trace: EgressTrace, url: string): Failure {
  // A redirect to another program, or to a script: Chromium gives up without a reason.
  if (error === "net::ERR_ABORTED" && !isWebAddress(url))
    return { reason: "blocked_address", detail: { technical: error, address: url } };
  // The site itself says that it is a proxy and wants a password.
  if (error === "net::ERR_UNEXPECTED_PROXY_AUTH")
    return { reason: "http_status", detail: { httpStatus: 407, technical: error } };
  const byBrowser = NET_ERRORS.find(([pattern]) => pattern.test(error))?.[1];
  // Chromium sees only that its proxy refused; a certificate or a loop of redirects it has seen for itself.
  const { outcome } = trace;
  if (outcome && byBrowser !== "tls" && byBrowser !== "redirect_loop")
    return failureOfEgress(outcome, trace.address);
  return { reason: byBrowser ?? "refused", detail: { technical: error } };
}

export function failureOfEgress(outcome: EgressOutcome, address?: string): Failure {
  return { reason: EGRESS[outcome.kind], detail: { technical: outcome.technical, address } };
}

const HTML = new Set(["text/html", "application/xhtml+xml"]);

/** Judges an answer by its head alone, so that what is no page need not be read. */
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
  // An error page of any kind is first of all an error; one in HTML may turn out to be a bot protection's.
  if (status >= 400) return HTML.has(mimeType) ? undefined : { reason: reasonOfStatus(status), detail };
  // A part of a page that nobody asked for, or a redirect that leads nowhere.
  if (status === 206 || status >= 300) return { reason: "http_status", detail };
  if (/^\s*attachment\b/i.test(headers["content-disposition"] ?? "")) return { reason: "download", detail };
  if (mimeType === "application/octet-stream") return { reason: "download", detail };
  if (!HTML.has(mimeType)) return { reason: "not_html", detail };
  if (Number(headers["content-length"]) > maxBytes) {
    return {
      reason: "too_large",
      detail: { ...detail, technical: `${headers["content-length"]} bytes announced` },
    };
  }
  return undefined;
}

/**
 * Judges a document that has been loaded: is it the site's, and is there anything in it?
 * @param error what broke it off (Chromium's), if anything did
 */
export function failureOfDocument(
  signs: AnswerSigns,
  hasContent: boolean,
  error?: string,
): Failure | undefined {
  const detail: FailureDetail = { httpStatus: signs.status, retryAfterMs: retryAfter(signs.headers) };
  const vendor = botProtection(signs);
  if (vendor) return { reason: "bot_protection", detail: { ...detail, technical: vendor } };
  if (signs.status >= 400) return { reason: reasonOfStatus(signs.status), detail };
  return hasContent ? undefined : { reason: "empty", detail: { ...detail, technical: error } };
}

/** Of an answer from 400 on: with 401, it asks who we are; with 403, it knows that already, or does not care. */
const reasonOfStatus = (status: number): Reason => (status === 401 ? "login_required" : "http_status");

/** In ms; a site says it in seconds, or by the time at which it may be asked again (RFC 9110, 10.2.3). */
export function retryAfter(headers: Record<string, string>, now = Date.now()): number | undefined {
  const value = headers["retry-after"]?.trim();
  if (!value) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
