import type { Skip } from "./store";

/** Why a visited address is not one of the site's pages. */
export type SkipReason = Exclude<Skip, "excluded">;

/** The crawl does not need this document, or robots.txt disallows it. */
export class PageSkipped extends Error {
  /** @param reached the address of the document */
  constructor(
    readonly why: SkipReason | "robots",
    readonly reached: string,
  ) {
    super(`left the page: ${why}`);
  }
}
