import { sanitizeUntrustedText } from "~/findings/untrusted-text";
import type { Run } from "~/runs/run";
import type { ByNumber, Words } from "./words.server";

const MAX_PATH = 200;
const MAX_URL = 300;
/** Limit of listed traps: a site may have many; the first ones show the cause. */
const MOST_TRAPS = 10;

/** Sentences on which pages belong to a run, and why others do not; empty for a single page. */
export function extentOf({ scope, crawl, maxPages, excludedPaths, waitMs, waitFor, stats }: Run, words: Words): string[] {
  const { texts, count, fill, number } = words;
  const { scope: text } = texts;
  const waits = [
    ...(waitMs === null ? [] : [fill(text.waitMs, { ms: number(waitMs) })]),
    ...(waitFor === null ? [] : [fill(text.waitFor, { selector: sanitizeUntrustedText(waitFor, MAX_PATH) })]),
  ];
  if (scope === "page") return waits;
  const ifAny = (sentence: ByNumber, many: number) => (many > 0 ? [count(sentence, many)] : []);
  return [
    count(text.known, stats.pages),
    ...(maxPages === null ? [] : [count(text.maxPages, maxPages)]),
    ...(excludedPaths.length > 0 ? [fill(text.excludedPaths, { paths: excludedPaths.map((path) => sanitizeUntrustedText(path, MAX_PATH)).join(", ") })] : []),
    ...waits,
    ...(crawl
      ? [
          ...(crawl.limited ? [count(text.limited, crawl.waiting)] : []),
          ...(crawl.timeLimit === undefined ? [] : [count(text.timeLimit, crawl.waiting, { minutes: number(crawl.timeLimit) })]),
          ...(crawl.stopped ? [count(text.stopped, crawl.waiting)] : []),
          ...(crawl.robots === "unreachable" ? [text.robotsUnreachable] : []),
          ...ifAny(text.disallowed, crawl.disallowed),
          ...(crawl.ledElsewhere ? [fill(text.ledElsewhere, { url: sanitizeUntrustedText(crawl.ledElsewhere, MAX_URL) })] : []),
          ...ifAny(text.files, crawl.skipped.files + crawl.skipped.notPage),
          ...ifAny(text.excluded, crawl.skipped.excluded ?? 0),
          ...ifAny(text.elsewhere, crawl.skipped.elsewhere),
          ...(crawl.elsewhere ?? []).map(({ url, finalUrl }) =>
            fill(text.elsewhereNamed, { url: sanitizeUntrustedText(url, MAX_URL), reached: sanitizeUntrustedText(finalUrl, MAX_URL) }),
          ),
          ...ifAny(text.duplicate, crawl.skipped.duplicate),
          ...ifAny(text.overflow, crawl.skipped.overflow),
          ...crawl.traps
            .slice(0, MOST_TRAPS)
            .map((trap) => count(text.traps, trap.count, { template: sanitizeUntrustedText(trap.template, MAX_URL) })),
          ...(crawl.sitemaps?.cut ? [text.sitemapCut] : []),
          ...ifAny(text.sitemaps, (crawl.sitemaps?.problems.length ?? 0) + (crawl.sitemaps?.moreProblems ?? 0)),
        ]
      : []),
  ];
}
