import type { ReviewState } from "./answer";

export interface ListPosition {
  state: ReviewState;
  /** From 1. */
  part: number;
}

/**
 * Address of a part of a list of questions.
 * @param path of the list
 * @param more further parameters
 */
export function listPath(path: string, { state, part }: ListPosition, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...(state !== "all" && { state }), ...(part > 1 && { part: String(part) }), ...more });
  return query.size > 0 ? `${path}?${query}` : path;
}
