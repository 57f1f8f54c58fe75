import { MOST_DISALLOWED_LISTED, type CrawlFacts } from "~/scan/crawl/facts";

const TRAP_TEXT: Record<CrawlFacts["traps"][number]["kind"], string> = {
  calendar: "a calendar without end",
  query: "ever new combinations of parameters",
  path: "ever deeper or repeating paths",
  chain: "pages of one kind that lead on and on",
};

/**
 * Facts about the crawl of a site besides its pages, for users of a terminal.
 * @param url start address of the crawl
 */
export function crawlText(facts: CrawlFacts, url: string): string {
  return `${[`Site ${url}`, ...crawlLines(facts)].join("\n  ")}\n`;
}

/** Facts about the crawl, one sentence per fact. */
export function* crawlLines(facts: CrawlFacts): Generator<string> {
  const { skipped, sitemaps } = facts;
  const listed = facts.disallowed > MOST_DISALLOWED_LISTED ? `, the first ${MOST_DISALLOWED_LISTED} of them listed` : "";
  yield `${facts.pages} pages, ${facts.disallowed} more that robots.txt does not allow${listed}`;
  if (facts.limited) yield `${limitOf(facts)}; ${facts.waiting} more ${facts.waiting === 1 ? "address was" : "addresses were"} known.`;
  if ((facts.limited || facts.timeLimit !== undefined) && !sitemaps) yield "What sitemaps may name besides was not read to its end.";
  if (facts.timeLimit !== undefined)
    yield `Stopped after ${facts.timeLimit} ${facts.timeLimit === 1 ? "minute" : "minutes"}, the most allowed; ${facts.waiting} known addresses were not visited.`;
  if (facts.stopped)
    yield `Left alone, because the site gave errors only, or no answer; ${facts.waiting} known addresses were not visited.`;
  if (facts.ledElsewhere)
    yield `The start page leads to another site, whose links were not followed: ${facts.ledElsewhere}`;
  if (facts.robots === "unreachable") yield "robots.txt could not be reached.";
  if (facts.crawlDelayMs > 0) yield `robots.txt asks for ${facts.crawlDelayMs / 1_000} s between two pages.`;
  if (sitemaps && sitemaps.urls > 0) yield `Sitemaps: ${sitemaps.urls} addresses in ${sitemaps.files} files`;
  if (sitemaps?.cut) yield "The sitemaps name more than was read.";
  for (const { url, why } of sitemaps?.problems ?? []) yield `Sitemap not read: ${url} (${why})`;
  if (sitemaps?.moreProblems) yield `More sitemaps not read: ${sitemaps.moreProblems}`;
  if (skipped.files + skipped.notPage > 0)
    yield `No web pages: ${skipped.files} addresses by their look, ${skipped.notPage} by what they answered`;
  if (skipped.excluded) yield `Left out as ordered: ${skipped.excluded} addresses`;
  if (skipped.duplicate > 0) yield `Other addresses of the same page: ${skipped.duplicate}`;
  if (skipped.elsewhere > 0) yield `Led to another site: ${skipped.elsewhere}`;
  for (const { url, finalUrl, linkedFrom } of facts.elsewhere ?? [])
    yield `Not checked: ${url} led to another site: ${finalUrl}${linkedFrom === null ? "" : `; linked from ${linkedFrom}`}`;
  if (skipped.overflow > 0) yield `Not even looked at, because there were too many: ${skipped.overflow} addresses`;
  for (const { kind, template, example, count } of facts.traps)
    yield `Left out ${count} addresses like ${template}: ${TRAP_TEXT[kind]}, such as ${example}`;
}

function limitOf({ pages, maxPages }: CrawlFacts): string {
  if (pages >= maxPages) return `Stopped at ${maxPages} pages, the most allowed`;
  return `Stopped at ${pages} of at most ${maxPages} pages, because too many addresses turned out to be no new pages`;
}
