import { resourceMissing } from "./stripe-error";

export interface List<T> {
  object: "list";
  data: T[];
  has_more: boolean;
  url: string;
}

/** Complete list. */
export function listOf<T>(data: T[], url: string): List<T> {
  return { object: "list", data, has_more: false, url };
}

/**
 * Page of a list.
 * @param all all objects, newest first
 * @throws {StripeError} 400 if `starting_after` is not in the list
 */
export function pageOf<T extends { id: string }>(all: T[], paging: { limit: number; starting_after?: string }, url: string): List<T> {
  const { limit, starting_after: after } = paging;
  const before = all.findIndex(({ id }) => id === after);
  if (after !== undefined && before === -1) throw resourceMissing("object", after, "starting_after");
  const rest = all.slice(before + 1);
  return { object: "list", data: rest.slice(0, limit), has_more: rest.length > limit, url };
}
