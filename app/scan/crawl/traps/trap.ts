import { calendarOf } from "./calendar";
import { createCombinations } from "./combinations";
import { createBoundedSet } from "~/scan/crawl/bounded-set";
import type { AddressParts } from "~/scan/crawl/page-key";
import { plainTrap } from "./path-trap";
import { templateOfParts } from "./template";

/**
 * `calendar`: endless dates; `query`: endless combinations of parameters; `path`: too deep or repeating paths; `chain`:
 * endless sequences of pages of one kind.
 */
type TrapKind = "calendar" | "query" | "path" | "chain";

/** Skipped addresses of an endless set that a site generates. */
export interface Trap {
  kind: TrapKind;
  /** Their template (`template.ts`). */
  template: string;
  /** The first skipped address. */
  example: string;
  /** Number of skipped addresses; a minimum if there are very many. */
  count: number;
}

/** An address that may be part of a trap. */
export interface Suspect {
  url: string;
  key: string;
  parts: AddressParts;
  /** Length of the chain of pages of its kind that led to it. */
  chain: number;
  /** Does the site's sitemap list it? Then it is intended. */
  listed: boolean;
}

export interface TrapWatch {
  /** True if an address belongs to a trap; counts it as skipped. */
  leavesOut(suspect: Suspect): boolean;
  /** Records a kept address. Only kept addresses decide which later ones are skipped. */
  keep(suspect: Suspect): void;
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

const MOST_TRAPS = 100;
const MOST_COUNTED = 20_000;
const LONGEST_EXAMPLE = 500;

export function createTrapWatch(): TrapWatch {
  const combinations = createCombinations();
  const calendars = new Map<string, { dates: number; inChains: number }>();
  const traps = new Map<string, Trap>();
  const leftOut = createBoundedSet(MOST_COUNTED);

  function recognise({ parts, chain, listed }: Suspect): Pick<Trap, "kind" | "template"> | undefined {
    const plain = plainTrap(parts);
    if (plain || listed) return plain;
    const template = templateOfParts(parts);
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
    leavesOut(suspect) {
      const recognised = recognise(suspect);
      if (!recognised) return false;
      const { kind, template } = recognised;
      const name = `${kind} ${template}`;
      // Sites that generate templates too are not listed in full.
      const known =
        traps.get(name) ??
        (traps.size < MOST_TRAPS ? undefined : [...traps.values()].find((trap) => trap.kind === kind));
      const trap = known ?? { kind, template, example: suspect.url.slice(0, LONGEST_EXAMPLE), count: 0 };
      if (!known) traps.set(name, trap);
      if (leftOut.add(suspect.key)) trap.count += 1;
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

/** Are two pages of one kind: made from one template, or of one calendar? */
export function areOfOneKind(one: AddressParts, other: AddressParts): boolean {
  if (templateOfParts(one) === templateOfParts(other)) return true;
  const calendar = calendarOf(one);
  return calendar !== undefined && calendar === calendarOf(other);
}
