/** How long a link to a report may be good for, in days. */
export const SHARE_DAYS = [1, 7, 30, 90] as const;
export type ShareDays = (typeof SHARE_DAYS)[number];
export const DEFAULT_SHARE_DAYS: ShareDays = 30;

/** A link that still works; what it holds is known only to those who have it. */
export interface ShareView {
  id: string;
  /** Unix time in ms. */
  createdAt: number;
  expiresAt: number;
}
