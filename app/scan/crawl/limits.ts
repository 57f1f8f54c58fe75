/** More at once would strain small sites. */
const MOST_PARALLEL = 4;
/** Most visits may turn out to be none of a page. */
const VISITS_PER_PAGE = 3;
/** Where few pages may be checked, some documents and redirects are no sign that there is no page behind them. */
const FEWEST_VISITS = 100;
/** Addresses kept for each page that may be checked, so that there is a choice. */
const KNOWN_PER_PAGE = 5;
const FEWEST_KNOWN = 5_000;

/** What a crawl may do, by the pages that it may check and those that the scanner checks at once. */
export function limitsOf(maxPages: number, parallel: number) {
  return {
    parallel: Math.min(parallel, MOST_PARALLEL),
    mostVisits: Math.max(FEWEST_VISITS, maxPages * VISITS_PER_PAGE),
    mostKnown: Math.max(FEWEST_KNOWN, maxPages * KNOWN_PER_PAGE),
  };
}
