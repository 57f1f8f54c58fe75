import type { RunRow } from "~/runs/run-view";
import type { Interval } from "~/monitoring/schedule-calendar";

/**
 * Result of the last check. `found`, `none_found`: with or without violations; `not_checked`: no page could be checked, or most
 * could not; `never`: no check has ended.
 */
export const WEBSITE_STATES = ["found", "none_found", "not_checked", "never"] as const;
export type WebsiteState = (typeof WEBSITE_STATES)[number];

export const WEBSITE_ORDERS = ["name", "latest", "most"] as const;
/** `latest`: last check; `most`: number of elements with violations. */
export type WebsiteOrder = (typeof WEBSITE_ORDERS)[number];

/** A website in the list of its owner. */
export interface WebsiteRow {
  /** Id as in its address, `/websites/{id}`. */
  id: string;
  /** Host, with the scheme if it is not https. */
  name: string;
  /** Last finished check of the whole website; of one page if the whole was never checked. */
  last: RunRow | null;
  /** Elements since the previous run: new, fixed, and unknown because one run did not check them; null until they are counted. */
  change: { before: string; fresh: number; fixed: number; unknown: number } | { before: null; isGone?: boolean } | null;
  /** Elements with violations in comparable runs, the oldest first; empty if there is no line. */
  trend: number[];
  /** Ids of these runs. */
  trendRuns: string[];
  /** Waiting or running scan. */
  open: { id: string; status: "queued" | "running" } | null;
  next: { at: number; every: Interval; paused: boolean } | null;
  /** Path of a picture of the first page. */
  picture: string | null;
}

/** Part of the address of a website's page: its host, after `http:` if it is not https. */
export function websiteId(origin: string): string {
  const { protocol, host } = new URL(origin);
  return protocol === "http:" ? `http:${host}` : host;
}

/** Origin of a website id; null if the id is invalid. */
export function originOf(id: string): string | null {
  // For a host named `http`, digits are a port: a host of digits only remains a host.
  const origin = /^http:(?!\d+$)/.test(id) ? id.replace("http:", "http://") : `https://${id}`;
  return URL.canParse(origin) && new URL(origin).origin === origin ? origin : null;
}

export function isWebsiteState(value: string): value is WebsiteState {
  return WEBSITE_STATES.some((state) => state === value);
}

export function isWebsiteOrder(value: string): value is WebsiteOrder {
  return WEBSITE_ORDERS.some((order) => order === value);
}
