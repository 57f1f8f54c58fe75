import { pageNumberOf } from "~/platform/http/pagination.server";
import { REVIEW_STATES } from "./answer";
import type { ListPosition } from "./list-path";

/** Filter and page number of a list, from its address. */
export function positionOf(request: Request): ListPosition {
  const query = new URL(request.url).searchParams;
  const state = REVIEW_STATES.find((each) => each === query.get("state")) ?? "all";
  return { state, pageNumber: pageNumberOf(request) };
}

/** Time at which the form was shown (Unix time in ms): answers saved since then stay in its list. */
export function shownSince(request: Request): number | undefined {
  const since = new URL(request.url).searchParams.get("since") ?? "";
  return /^\d{1,15}$/.test(since) ? Number(since) : undefined;
}
