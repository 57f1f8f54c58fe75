import type { AddressParts } from "~/scan/crawl/addresses/address";
import { calendarOf, templateOf } from "~/scan/crawl/addresses/page-kind";
import { createBoundedSet } from "~/scan/crawl/bounded-set";
import { createCombinations } from "./combinations";

/**
 * `calendar`: endless dates; `query`: endless combinations of parameters; `path`: too deep or repeating paths; `chain`:
 * endless sequences of pages of one kind.
 */
type TrapKind = "calendar" | "query" | "path" | "chain";

/** Skipped addresses of an endless set that a site generates. */
export interface Trap {
  kind: TrapKind;
  /** Template of the addresses (`page-kind.ts`). */
  template: string;
  /** The first skipped address. */
  example: string;
  /** Number of skipped addresses; a minimum if there are very many. */
  count: number;
}

/** An address that may be part of a trap. */
export interface TrapCandidate {
  url: string;
  key: string;
  parts: AddressParts;
  /** Length of the chain of pages of one kind that led to the address. */
  chain: number;
  /** Is the address listed in the site's sitemap? Then it is intended. */
  listed: boolean;
}

/** Identifies a trap. */
export const trapKey = ({ kind, template }: Pick<Trap, "kind" | "template">) => `${kind} ${template}`;

export interface TrapWatch {
  /** True if an address belongs to a trap; counts it as skipped. */
  isTrapped(candidate: TrapCandidate): boolean;
  /** Records a kept address. Only kept addresses decide which later ones are skipped. */
  keep(candidate: TrapCandidate): void;
  traps(): Trap[];
}

/** Sequence of pages that differ by a number: pagination, days, codes. */
const LONGEST_CHAIN = 12;
/** Sequence of pages with a name each: articles with a link to the next one, chapters. */
const LONGEST_CHAIN_OF_NAMES = 100;
/** Pages of one calendar found on other pages of it. */
const MOST_DATES_IN_CHAINS = 40;
/** Pages of one calendar; a list of the months of 30 years is not endless. */
const MOST_DATES = 400;

/** Maximum depth, more than any real site has: deeper paths come from links that lead to themselves, one level deeper each time. */
const MOST_SEGMENTS = 12;
const MOST_PARAMETERS = 16;
const LONGEST_PATH = 1_000;
const LONGEST_QUERY = 1_500;
/** Repeats of one word in a path. Numbers may be chapters, or days equal to their months. */
const MOST_REPEATS = 2;

const MOST_TRAPS = 100;
const MOST_COUNTED = 20_000;
const LONGEST_EXAMPLE = 500;

export function createTrapWatch(): TrapWatch {
  const combinations = createCombinations();
  const calendars = new Map<string, { dates: number; inChains: number }>();
  const traps = new Map<string, Trap>();
  const counted = createBoundedSet(MOST_COUNTED);

  function recognise({ parts, chain, listed }: TrapCandidate): Pick<Trap, "kind" | "template"> | undefined {
    const plain = plainTrap(parts);
    if (plain || listed) return plain;
    const template = templateOf(parts);
    const calendar = calendarOf(parts);
    if (calendar !== undefined) {
      const { dates = 0, inChains = 0 } = calendars.get(calendar) ?? {};
      const isEndless = chain > LONGEST_CHAIN || (chain > 0 && inChains >= MOST_DATES_IN_CHAINS);
      if (isEndless || dates >= MOST_DATES) return { kind: "calendar", template };
    }
    if (combinations.isEndless(parts)) return { kind: "query", template };
    return chain > longestChainOf(template) ? { kind: "chain", template } : undefined;
  }

  return {
    isTrapped(candidate) {
      const recognised = recognise(candidate);
      if (!recognised) return false;
      const { kind, template } = recognised;
      const key = trapKey(recognised);
      // Sites that generate templates too are not listed in full.
      const known =
        traps.get(key) ??
        (traps.size < MOST_TRAPS ? undefined : [...traps.values()].find((trap) => trap.kind === kind));
      const trap = known ?? { kind, template, example: candidate.url.slice(0, LONGEST_EXAMPLE), count: 0 };
      if (!known) traps.set(key, trap);
      if (counted.add(candidate.key)) trap.count += 1;
      return true;
    },

    keep({ parts, chain, listed }) {
      if (listed) return;
      combinations.keep(parts);
      const calendar = calendarOf(parts);
      if (calendar === undefined) return;
      const { dates = 0, inChains = 0 } = calendars.get(calendar) ?? {};
      calendars.set(calendar, { dates: dates + 1, inChains: inChains + (chain > 0 ? 1 : 0) });
    },

    traps: () => [...traps.values()].map((trap) => ({ ...trap })).filter(({ count }) => count > 0),
  };
}

const longestChainOf = (template: string) =>
  /\*(?:\.\w+)?$/.test(template) ? LONGEST_CHAIN_OF_NAMES : LONGEST_CHAIN;

/** A trap visible in the address itself, without its links. */
interface PlainTrap {
  kind: "path" | "query";
  template: string;
}

/** Recognises too deep or repeating paths, overlong addresses, and too many parameters. */
function plainTrap(parts: AddressParts): PlainTrap | undefined {
  const { segments, parameters } = parts;
  const below = (depth: number): PlainTrap => {
    const template = templateOf({ segments: segments.slice(0, depth), parameters: [] });
    return { kind: "path", template: `${template.slice(0, 200).replace(/\/$/, "")}/…` };
  };
  // The loop starts at the first repeated word.
  if (repeatsItself(segments)) return below(segments.findIndex((each, index) => segments.includes(each, index + 1)));
  if (segments.length > MOST_SEGMENTS || lengthOf(segments) > LONGEST_PATH) return below(2);
  if (parameters.length > MOST_PARAMETERS || lengthOf(parameters.flat()) > LONGEST_QUERY)
    return { kind: "query", template: `${templateOf({ segments, parameters: [] })}?…` };
  return undefined;
}

function repeatsItself(segments: string[]): boolean {
  const counts = new Map<string, number>();
  return segments.some((segment) => {
    const count = (counts.get(segment) ?? 0) + 1;
    counts.set(segment, count);
    return count > MOST_REPEATS && /\D/.test(segment);
  });
}

const lengthOf = (texts: string[]) => texts.reduce((sum, { length }) => sum + length + 1, 0);
