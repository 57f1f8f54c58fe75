import type { AddressPolicy } from "~/scan/address-policy";

/** A small file of a site. */
export interface FetchedFile {
  status: number;
  headers: Record<string, string>;
  url: string;
  body: Buffer;
  cut: boolean;
}

export interface FetchFailure {
  reason: "blocked_address" | "dns" | "refused" | "timeout" | "tls" | "redirect_loop" | "invalid_url";
  technical: string;
}

export interface SiteFetch {
  get(url: string, options: { maxBytes: number; signal?: AbortSignal }): Promise<FetchedFile | FetchFailure>;
}

export interface SiteFetchOptions {
  policy: AddressPolicy;
  userAgent: string;
  log?: (event: string, fields?: Record<string, unknown>) => void;
}

export function createSiteFetch(_options: SiteFetchOptions): SiteFetch {
  return { get: async () => ({ reason: "refused", technical: "not yet" }) };
}
