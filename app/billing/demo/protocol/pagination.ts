import { missing } from "./stripe-error";

export interface Paging {
  limit: number;
  starting_after?: string;
  ending_before?: string;
}

export interface List<T> {
  object: "list";
  data: T[];
  has_more: boolean;
  url: string;
}

/**
 * A page of a list.
 * @param all newest first; read only until the page is full
 * @throws {StripeError} 400 if the object that the page starts after or ends before is not in the list
 */
export function pageOf<T extends { id: string; object: string }>(all: Iterable<T>, paging: Paging, url: string): List<T> {
  const { limit, starting_after: after, ending_before: before } = paging;
  if (before !== undefined) {
    const newer = until(all, before);
    return { object: "list", data: newer.slice(-limit), has_more: newer.length > limit, url };
  }
  const data: T[] = [];
  let begun = after === undefined;
  for (const each of all) {
    if (begun && data.push(each) > limit) break;
    begun ||= each.id === after;
  }
  if (!begun) throw missing("object", after ?? "", "starting_after");
  return { object: "list", data: data.slice(0, limit), has_more: data.length > limit, url };
}

function until<T extends { id: string }>(all: Iterable<T>, id: string): T[] {
  const newer: T[] = [];
  for (const each of all) {
    if (each.id === id) return newer;
    newer.push(each);
  }
  throw missing("object", id, "ending_before");
}

/** Filters lazily. */
export function* only<T>(all: Iterable<T>, passes: (each: T) => boolean): Generator<T> {
  for (const each of all) if (passes(each)) yield each;
}
