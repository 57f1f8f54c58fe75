/** Maximum share of a page's time budget for the wait; the rest is for the analysis. */
const SHARE_OF_BUDGET = 0.8;

/** Maximum wait before an analysis, in ms. @param pageSeconds time budget of a page */
export const mostWaitMs = (pageSeconds: number): number => Math.floor(pageSeconds * SHARE_OF_BUDGET) * 1_000;
