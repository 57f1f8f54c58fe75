/** Selectable lifetimes of a link to a report, in days. */
export const SHARE_DAYS = [1, 7, 30, 90] as const;
export type ShareDays = (typeof SHARE_DAYS)[number];
export const DEFAULT_SHARE_DAYS: ShareDays = 30;

/** A valid link, without its secret token. */
export interface ShareView {
  id: string;
  /** Unix time in ms. */
  createdAt: number;
  expiresAt: number;
}
