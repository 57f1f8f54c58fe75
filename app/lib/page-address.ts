import { isOfAnotherSite, reachedElsewhere } from "~/scan/redirect";
import { foreignText } from "./foreign-text";

/** In characters. */
const MAX_URL = 2_000;

/** Where an address led to, when that is another one. */
export interface Reached {
  url: string;
  isOtherSite: boolean;
}

/** Null where the page is at the address that was asked for, or never came. */
export function reachedBy({ url, finalUrl }: { url: string; finalUrl: string | null }): Reached | null {
  const reached = reachedElsewhere({ url, finalUrl });
  return reached === null ? null : { url: foreignText(reached, MAX_URL), isOtherSite: isOfAnotherSite(url, reached) };
}
