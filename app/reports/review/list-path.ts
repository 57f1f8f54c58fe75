import type { ReviewState } from "./answer";

export interface ListPosition {
  state: ReviewState;
  /** From 1. */
  pageNumber: number;
}

/**
 * Address of a page of a list of questions.
 * @param path of the list
 * @param more further parameters
 */
export function listPath(path: string, { state, pageNumber }: ListPosition, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...(state !== "all" && { state }), ...(pageNumber > 1 && { part: String(pageNumber) }), ...more });
  return query.size > 0 ? `${path}?${query}` : path;
}
