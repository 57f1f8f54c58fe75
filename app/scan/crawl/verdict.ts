import type { FailureDetail, PageResult, Reason } from "~/scan/types";
import { unvisitedPage } from "~/scan/unvisited-page";
import type { KnownAddress } from "./frontier";
import { pageKey, type Site } from "./addresses/address";

/** The outcome of an address whose robots.txt could not be read. */
export const unreadable = ({ url }: KnownAddress) => unvisitedPage(url, "robots", { technical: "robots.txt could not be read" });

/** Failure that may justify a retry. */
export interface RetryableFailure {
  /** Is the site the cause, so that it should get fewer requests? */
  isOfSite: boolean;
  /** Maximum number of visits per address. */
  mostTries: number;
  retryAfterMs?: number;
}

/**
 * A failure of a visit that may be temporary.
 * @param hasArrived the document arrived, so a time-out is caused by our own work
 */
export function retryableFailureOf(result: PageResult, hasArrived: boolean): RetryableFailure | undefined {
  if (result.status === "succeeded") return undefined;
  const { reason, detail } = result;
  // Rarely the page's fault; the scanner has already tried twice each time.
  if (detail.browserDied === true) return { isOfSite: false, mostTries: 6 };
  if (reason === "http_status" && saysTooMuch(detail)) {
    return { isOfSite: true, mostTries: 3, retryAfterMs: detail.retryAfterMs };
  }
  const isSilence = !hasArrived && (reason === "refused" || reason === "timeout");
  return isSilence ? { isOfSite: true, mostTries: 2 } : undefined;
}

const saysTooMuch = ({ httpStatus = 0 }: FailureDetail) => httpStatus === 429 || httpStatus >= 500;

export const isNotAPage = (result: PageResult) =>
  result.status === "failed" && (result.reason === "not_html" || result.reason === "download");

/** Did an address fail only after it had led to another site? A sign-in page there blocks a page of this site. */
export const failedOnAnotherSite = (result: PageResult, site: Site) =>
  result.status === "failed" && result.reason !== "login_required" && !site.includes(result.finalUrl);

/** Reasons that also affect all other pages. */
const NO_SITE: Reason[] = ["invalid_url", "blocked_address", "dns", "refused", "tls", "timeout", "robots"];

/** May there be other pages although the start page failed? */
export const hasOtherPages = (result: PageResult) => result.status === "failed" && !NO_SITE.includes(result.reason);

/** Does a page declare itself a variant: same path, other parameters? */
export function isVariant(url: string, canonical: string): boolean {
  const [one, other] = [new URL(url), new URL(canonical)];
  return one.host === other.host && one.pathname === other.pathname && pageKey(url) !== pageKey(canonical);
}
