import type { AddressParts } from "~/scan/crawl/page-key";
import { templateOfParts } from "./template";

/** More than any real site has: longer ones come from links that lead to themselves, one level deeper each time. */
const MOST_SEGMENTS = 12;
const MOST_PARAMETERS = 16;
const LONGEST_PATH = 1_000;
const LONGEST_QUERY = 1_500;
/** Repeats of one word in a path. Numbers may be chapters, or days equal to their months. */
const MOST_REPEATS = 2;

/** A trap visible in the address itself, without its links. */
export interface PlainTrap {
  kind: "path" | "query";
  template: string;
}

/** Recognises too deep or repeating paths, overlong addresses, and too many parameters. */
export function plainTrap(parts: AddressParts): PlainTrap | undefined {
  const { segments, parameters } = parts;
  const below = (depth: number): PlainTrap => {
    const template = templateOfParts({ segments: segments.slice(0, depth), parameters: [] });
    return { kind: "path", template: `${template.slice(0, 200).replace(/\/$/, "")}/…` };
  };
  // The loop starts at the first repeated word.
  if (repeatsItself(segments)) return below(segments.findIndex((each, index) => segments.includes(each, index + 1)));
  if (segments.length > MOST_SEGMENTS || lengthOf(segments) > LONGEST_PATH) return below(2);
  if (parameters.length > MOST_PARAMETERS || lengthOf(parameters.flat()) > LONGEST_QUERY)
    return { kind: "query", template: `${templateOfParts({ segments, parameters: [] })}?…` };
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
