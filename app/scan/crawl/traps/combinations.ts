import type { AddressParts } from "~/scan/crawl/page-key";
import { isChoice } from "./parameters";

/** So many combinations of choices on one path are looked at in any case. */
const ENOUGH = 40;
/**
 * Where one of the parameters says which page is meant, there are a few combinations for each of its values, such as the
 * views of a product. Where all of them filter, there are soon many more combinations than values.
 */
const PER_VALUE = 6;

/** Notices paths whose parameters can be combined without end, as the filters of a shop can. */
export interface Combinations {
  /** Is this one more combination on a path that has shown enough of them? */
  isEndless(parts: AddressParts): boolean;
  keep(parts: AddressParts): void;
}

interface Path {
  /** Of each parameter. */
  values: Map<string, Set<string>>;
  /** Of two choices and more. */
  combinations: Set<string>;
}

export function createCombinations(): Combinations {
  const paths = new Map<string, Path>();
  const pathOf = ({ host, segments }: AddressParts) => `${host}/${segments.join("/")}`;

  return {
    isEndless(parts) {
      const path = paths.get(pathOf(parts));
      if (!path || path.combinations.size < ENOUGH || choicesOf(parts).length < 2) return false;
      const varying = [...path.values.values()].filter(({ size }) => size > 1);
      const most = Math.max(...varying.map(({ size }) => size));
      return varying.length > 0 && path.combinations.size >= PER_VALUE * most;
    },

    keep(parts) {
      const choices = choicesOf(parts);
      if (choices.length === 0) return;
      const key = pathOf(parts);
      const path = paths.get(key) ?? { values: new Map<string, Set<string>>(), combinations: new Set<string>() };
      paths.set(key, path);
      for (const [name, value] of choices) {
        const values = path.values.get(name) ?? new Set<string>();
        path.values.set(name, values.add(value));
      }
      if (choices.length > 1) path.combinations.add(choices.join("&"));
    },
  };
}

/** Several values of one parameter are several choices. */
function choicesOf({ parameters }: AddressParts): [name: string, value: string][] {
  return parameters.flatMap(([name, value]) =>
    isChoice(name, value) ? value.split(/[,|]/).map((each): [string, string] => [name, each]) : [],
  );
}
