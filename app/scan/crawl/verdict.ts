import type { FailureDetail, PageResult, Reason, UncheckedPage } from "~/scan/types";
import type { KnownAddress } from "./frontier";
import { pageKey } from "./page-key";
import type { Site } from "./site";

/** The outcome of an address that is not visited. */
export function unchecked({ url }: Pick<KnownAddress, "url">, reason: Reason, technical?: string): UncheckedPage {
  const detail = technical === undefined ? {} : { technical };
  return { url, finalUrl: url, checkedAt: Date.now(), durationMs: 0, status: "failed", reason, detail };
}

export const unreadable = (address: KnownAddress) => unchecked(address, "robots", "robots.txt could not be read");

/** Why a visit may be worth another try. */
export interface Trouble {
  /** Is it the site's, so that less should be asked of it? */
  isOfSite: boolean;
  /** Visits of one address while it lasts. */
  mostTries: number;
  retryAfterMs?: number;
}

/**
 * What went wrong with a visit and may be over the next time.
 * @param hasArrived the document came, so that what ran out of time is our own work
 */
export function troubleOf(result: PageResult, hasArrived: boolean): Trouble | undefined {
  if (result.status === "succeeded") return undefined;
  const { reason, detail } = result;
  // Rarely the page's fault; the scanner has tried twice itself each time.
  if (detail.browserDied === true) return { isOfSite: false, mostTries: 6 };
  if (reason === "http_status" && saysTooMuch(detail)) {
    return { isOfSite: true, mostTries: 3, retryAfterMs: detail.retryAfterMs };
  }
  const isSilence = !hasArrived && (reason === "refused" || reason === "timeout");
  return isSilence ? { isOfSite: true, mostTries: 2 } : undefined;
}

const saysTooMuch = ({ httpStatus = 0 }: FailureDetail) => httpStatus === 429 || httpStatus >= 500;

export const isNoPage = (result: PageResult) =>
  result.status === "failed" && (result.reason === "not_html" || result.reason === "download");

/**
 * Did an address fail only after it had led to another site? A sign-in there keeps us from a page that is this site's.
 */
export const isAboutAnotherSite = (result: PageResult, site: Site) =>
  result.status === "failed" && result.reason !== "login_required" && !site.includes(result.finalUrl);

/** With these, the site has no other page either. */
const NO_SITE: Reason[] = ["invalid_url", "blocked_address", "dns", "refused", "tls", "timeout", "robots"];

/** May there be other pages, though the start page failed? */
export const hasOtherPages = (result: PageResult) => result.status === "failed" && !NO_SITE.includes(result.reason);

/** Does a page say that it is another address of the same path, with other parameters? */
export function isVariant(url: string, canonical: string): boolean {
  const [one, other] = [new URL(url), new URL(canonical)];
  return one.host === other.host && one.pathname === other.pathname && pageKey(url) !== pageKey(canonical);
}
