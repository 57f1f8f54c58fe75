import type { AddressParts } from "~/scan/crawl/addresses/address";
import { isChoice } from "~/scan/crawl/addresses/parameters";

/** Combinations of choices per path that are always allowed. */
const ENOUGH = 40;
/**
 * If one parameter selects the page, each of its values has few combinations, such as the views of a product. If all
 * parameters filter, there are soon many more combinations than values.
 */
const PER_VALUE = 6;

/** Detects paths with endless combinations of parameters, such as a shop's filters. */
export interface Combinations {
  /** Is this a further combination on a path that has already had enough of them? */
  isEndless(parts: AddressParts): boolean;
  keep(parts: AddressParts): void;
}

interface Path {
  /** Values of each parameter. */
  values: Map<string, Set<string>>;
  /** Number of values of the parameter with the most values. */
  most: number;
  /** Combinations of two or more choices. */
  combinations: Set<string>;
}

export function createCombinations(): Combinations {
  const paths = new Map<string, Path>();
  const pathOf = ({ host, segments }: AddressParts) => `${host}/${segments.join("/")}`;

  return {
    isEndless(parts) {
      const path = paths.get(pathOf(parts));
      if (!path || path.combinations.size < ENOUGH || choicesOf(parts).length < 2) return false;
      return path.most > 1 && path.combinations.size >= PER_VALUE * path.most;
    },

    keep(parts) {
      const choices = choicesOf(parts);
      if (choices.length === 0) return;
      const key = pathOf(parts);
      const path = paths.get(key) ?? { values: new Map<string, Set<string>>(), most: 0, combinations: new Set<string>() };
      paths.set(key, path);
      for (const [name, value] of choices) {
        const values = path.values.get(name) ?? new Set<string>();
        path.values.set(name, values.add(value));
        path.most = Math.max(path.most, values.size);
      }
      if (choices.length > 1) path.combinations.add(choices.join("&"));
    },
  };
}

/** Several values of one parameter count as several choices. */
function choicesOf({ parameters }: AddressParts): [name: string, value: string][] {
  return parameters.flatMap(([name, value]) =>
    isChoice(name, value) ? value.split(/[,|]/).map((each): [string, string] => [name, each]) : [],
  );
}
