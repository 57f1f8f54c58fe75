import type { PageResult, Reason, UncheckedPage } from "~/scan/types";
import type { KnownAddress } from "./frontier";
import { pageKey } from "./page-key";

/** The outcome of an address that is not visited. */
export function unchecked({ url }: Pick<KnownAddress, "url">, reason: Reason, technical?: string): UncheckedPage {
  const detail = technical === undefined ? {} : { technical };
  return { url, finalUrl: url, checkedAt: Date.now(), durationMs: 0, status: "failed", reason, detail };
}

export const unreadable = (address: KnownAddress) => unchecked(address, "robots", "robots.txt could not be read");

/** The site says that it is too much, or that it is ill. */
export function isStrain(result: PageResult): result is UncheckedPage {
  if (result.status === "succeeded" || result.reason !== "http_status") return false;
  const { httpStatus = 0 } = result.detail;
  return httpStatus === 429 || httpStatus >= 500;
}

/** Which is rarely the page's fault. */
export const browserDied = (result: PageResult) => result.status === "failed" && result.detail.browserDied === true;

export const isNoPage = (result: PageResult) =>
  result.status === "failed" && (result.reason === "not_html" || result.reason === "download");

/** Does a page say that it is another address of the same path, with other parameters? */
export function isVariant(url: string, canonical: string): boolean {
  const [one, other] = [new URL(url), new URL(canonical)];
  return one.host === other.host && one.pathname === other.pathname && pageKey(url) !== pageKey(canonical);
}
