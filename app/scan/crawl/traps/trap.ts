import { calendarOf } from "./calendar";
import { createCombinations } from "./combinations";
import { createBoundedSet } from "~/scan/crawl/bounded-set";
import type { AddressParts } from "~/scan/crawl/page-key";
import { plainTrap } from "./path-trap";
import { templateOfParts } from "./template";

/**
 * `calendar`: dates without end; `query`: ever new combinations of parameters; `path`: ever deeper or repeating paths;
 * `chain`: pages of one kind that lead on and on.
 */
export type TrapKind = "calendar" | "query" | "path" | "chain";

/** Addresses that a site makes up without end, and that were left out. */
export interface Trap {
  kind: TrapKind;
  /** What they share (`template.ts`). */
  template: string;
  /** The first that was left out. */
  example: string;
  /** Addresses left out; at least so many, where there are very many. */
  count: number;
}

/** An address that may be part of a trap. */
export interface Suspect {
  url: string;
  key: string;
  parts: AddressParts;
  /** Length of the chain of pages of its kind that led to it. */
  chain: number;
  /** Does the site itself list it in a sitemap? Then it is meant. */
  listed: boolean;
}

export interface TrapWatch {
  /** Says that an address belongs to a trap, and counts it as left out. */
  leavesOut(suspect: Suspect): boolean;
  /** Takes note of an address that is kept. Only these decide what is left out later. */
  keep(suspect: Suspect): void;
  traps(): Trap[];
}

/** In a row, of pages that differ by a number: parts of a list, days, codes. */
const LONGEST_CHAIN = 12;
/** In a row, of pages that have a name each: articles that lead to the next one, chapters. */
const LONGEST_CHAIN_OF_NAMES = 100;
/** Pages of one calendar that were found on others of it. */
const MOST_DATES_IN_CHAINS = 40;
/** Pages of one calendar; a list of the months of thirty years is none without end. */
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
      // A site that makes up templates, too, is not described in full.
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
