import type { Trx } from "db/schema";

/** What a website is to be taken up for. */
export interface TakeUp {
  url: string;
  /** The run whose result led here, as a browser sent its id. */
  checkId: string | null;
  /** A scan of the website from this time on (Unix time in ms) is the one that is wanted; 0 for any. */
  since: number;
}

export interface TakenUp {
  /** The scan of the website; null where none could be started. */
  scanId: string | null;
}

/** Work in the transaction that starts a run, by its id. */
export type Together = (trx: Trx, runId: string) => Promise<void>;

/** Hands over what was bought. */
export interface Fulfilments {
  /**
   * Registers a website, makes the free check that led here its buyer's run, and starts the scan of the website.
   * @param together done in the transaction that starts the scan; what it throws keeps it from being started
   * @returns null where nothing that was bought has room for the website
   */
  takeUp(owner: string, site: TakeUp, together?: Together): Promise<TakenUp | null>;
}
