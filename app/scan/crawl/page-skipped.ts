import type { Skip } from "./store";

/** What a visit shows of an address that is none of the site's pages. */
export type SkipReason = Exclude<Skip, "excluded">;

/** The crawl does not want this document, or may not have it. */
export class PageSkipped extends Error {
  /** @param reached the address of the document */
  constructor(
    readonly why: SkipReason | "robots",
    readonly reached: string,
  ) {
    super(`left the page: ${why}`);
  }
}
