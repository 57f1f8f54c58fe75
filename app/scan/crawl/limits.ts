/** More at once would strain small sites. */
const MOST_PARALLEL = 4;
/** Most visits may turn out not to be pages. */
const VISITS_PER_PAGE = 3;
/** With a small page limit, some documents and redirects do not mean that no pages follow. */
const FEWEST_VISITS = 100;
/** Addresses kept per allowed page, so that there is a choice. */
const KNOWN_PER_PAGE = 5;
const FEWEST_KNOWN = 5_000;

/** Limits of a crawl, by its page limit and the scanner's parallel checks. */
export function limitsOf(maxPages: number, parallel: number) {
  return {
    parallel: Math.min(parallel, MOST_PARALLEL),
    mostVisits: Math.max(FEWEST_VISITS, maxPages * VISITS_PER_PAGE),
    mostKnown: Math.max(FEWEST_KNOWN, maxPages * KNOWN_PER_PAGE),
  };
}
