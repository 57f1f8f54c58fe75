import type { Frontier } from "./frontier";
import type { CrawlFacts } from "./store";
import type { Trap } from "./traps/trap";

/** Facts of a new crawl. */
export function noFacts(maxPages: number): CrawlFacts {
  return {
    pages: 0,
    known: 0,
    waiting: 0,
    maxPages,
    limited: false,
    robots: "none",
    crawlDelayMs: 0,
    excluded: 0,
    skipped: { files: 0, notPage: 0, elsewhere: 0, duplicate: 0, overflow: 0 },
    traps: [],
    ledElsewhere: null,
    stopped: false,
  };
}

/**
 * The facts to save with the next step.
 * @param open number of pages being visited
 * @param suspects number of pages waiting to be visited alone
 */
export function currentFacts(facts: CrawlFacts, frontier: Frontier, { open, suspects }: { open: number; suspects: number }): CrawlFacts {
  const waiting = frontier.waiting + suspects;
  const { notPage, overflow, leftOut } = frontier.skipped();
  const { skipped } = facts;
  const unwanted = Math.max(skipped.leftOut ?? 0, leftOut);
  return {
    ...facts,
    known: facts.pages + open + waiting,
    waiting,
    limited: facts.limited || (facts.pages >= facts.maxPages && waiting > 0),
    // After a restart, the skipped addresses are unknown; the maximum avoids counting them twice.
    skipped: {
      ...skipped,
      files: Math.max(skipped.files, notPage),
      overflow: Math.max(skipped.overflow, overflow),
      ...(unwanted > 0 && { leftOut: unwanted }),
    },
    traps: withEarlier(facts.traps, frontier.traps()),
  };
}

function withEarlier(earlier: Trap[], traps: Trap[]): Trap[] {
  const nameOf = ({ kind, template }: Trap) => `${kind} ${template}`;
  const all = new Map([...earlier, ...traps].map((trap) => [nameOf(trap), trap]));
  for (const trap of earlier) {
    const later = all.get(nameOf(trap));
    if (later && later.count < trap.count) all.set(nameOf(trap), trap);
  }
  return [...all.values()];
}
