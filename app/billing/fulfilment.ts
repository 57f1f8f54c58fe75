import type { Trx } from "db/schema";

/** A website that a purchase is for. */
export interface FulfilmentRequest {
  url: string;
  /** The run whose result led here, as a browser sent its id. */
  checkId: string | null;
  /** A scan of the website from this time on (Unix time in ms) is reused; 0 for any. */
  since: number;
}

export interface FulfilmentResult {
  /** The scan of the website; null where none could be started. */
  scanId: string | null;
  /** Why none was started, where the buyer can do something about it: the stored access can no longer be read. */
  why?: "access_lost";
}

/** Work in the transaction that starts a run, by its id. */
export type Together = (trx: Trx, runId: string) => Promise<void>;

/** Delivers purchases. */
export interface Fulfilments {
  /**
   * Registers a website, assigns the free check that led here to the buyer, and starts the scan of the website.
   * @param together done in the transaction that starts the scan; if it throws, the scan is not started
   * @returns null if no purchase has room for the website
   */
  fulfil(owner: string, site: FulfilmentRequest, together?: Together): Promise<FulfilmentResult | null>;
}
