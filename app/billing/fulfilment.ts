import type { Trx } from "db/schema";

/** Website of a purchase. */
export interface FulfilmentRequest {
  url: string;
  /** Run whose result led to the purchase, as sent by the browser. */
  checkId: string | null;
  /** A scan of the website since this time (Unix time in ms) is reused; 0 for any. */
  since: number;
}

export interface FulfilmentResult {
  /** Scan of the website; null if none could be started. */
  scanId: string | null;
  /** Reason why none was started, if the buyer can change it: the stored credentials can no longer be decrypted. */
  why?: "access_lost";
}

/** Work in the transaction that starts a run. @param runId id of that run */
export type Together = (trx: Trx, runId: string) => Promise<void>;

/** Delivers purchases. */
export interface Fulfilments {
  /**
   * Registers a website, assigns the free check before the purchase to the buyer, and starts the scan of the website.
   * @param together work in the transaction that starts the scan; if it throws, the scan is not started
   * @returns null if no purchase has room for the website
   */
  fulfil(owner: string, site: FulfilmentRequest, together?: Together): Promise<FulfilmentResult | null>;
}
