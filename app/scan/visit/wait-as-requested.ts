import { withinOr } from "~/platform/async/deadline";
import type { Tab } from "~/scan/page/tab";
import type { Gaps, PageRequest } from "~/scan/types";
import type { IsolatedWorld } from "~/scan/page/isolated-world";

const LOOK_EVERY_MS = 100;
const ANSWER_WITHIN_MS = 2_500;
/** Shares of the remaining time; the analysis needs the rest. */
const SHARE_TO_WAIT = 0.8;
const SHARE_FOR_SELECTOR = 0.6;

/**
 * Waits as requested: a number of ms, and until a selector matches.
 * @param remainingMs remaining time of the page
 * @returns selector that did not appear, if any; the wait ends when the page goes on to another document
 */
export async function waitAsRequested(
  tab: Tab,
  isolatedWorld: IsolatedWorld,
  { waitMs = 0, waitFor }: Pick<PageRequest, "waitMs" | "waitFor">,
  remainingMs: number,
): Promise<Gaps["missing"]> {
  const document = tab.document();
  const moved = () => tab.document() !== document;
  const begun = performance.now();
  await tab.until(moved, Math.min(waitMs, remainingMs * SHARE_TO_WAIT));
  if (!waitFor) return null;

  const end = begun + remainingMs * SHARE_FOR_SELECTOR;
  do {
    if (moved() || (await appears(isolatedWorld, waitFor))) return null;
    await tab.until(moved, LOOK_EVERY_MS);
  } while (performance.now() < end);
  return { selector: waitFor, waitedMs: Math.round(performance.now() - begun) };
}

/** Does a selector match something in the document or its open shadow roots? */
export function appears(isolatedWorld: IsolatedWorld, selector: string): Promise<boolean> {
  return withinOr(ANSWER_WITHIN_MS, isolatedWorld.call(matchesSomething, selector), false);
}

/** Runs inside the page (see `isolated-world.ts`). An invalid selector matches nothing. */
function matchesSomething(selector: string): boolean {
  try {
    return matchesIn(document);
  } catch {
    return false;
  }

  function matchesIn(root: Document | ShadowRoot): boolean {
    if (root.querySelector(selector)) return true;
    return [...root.querySelectorAll("*")].some(({ shadowRoot }) => shadowRoot instanceof ShadowRoot && matchesIn(shadowRoot));
  }
}
