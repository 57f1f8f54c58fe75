import type { Failure } from "./classify";
import { OutOfTime } from "~/platform/async/deadline";
import { analyseDocument, isGone, SIGN_IN, type AnalyseOptions, type DocumentResult } from "./analyse-document";
import { watchLate, type Watched } from "./late";
import { createPageClock } from "~/scan/page/page-clock";
import type { Analysis } from "~/scan/rules/analysis";
import { ADVANCED_RULES } from "~/scan/rules/rampe/index";
import { isSilenced } from "~/scan/page/stop-scripts";
import type { Tab } from "~/scan/page/tab";
import type { Late } from "~/scan/types";
import { appears } from "./wait-as-requested";

/** Result of an analysis, and reasons why its page may have shown more later. */
export interface WatchedResult extends DocumentResult {
  late: Late[];
  /** The visit still holds its permit. */
  holdsPermit: boolean;
}

/** A second analysis takes longer than the first one when other analyses run beside it. */
const SPARE_FOR_SECOND = 1.5;
const SPARE_MS = 1_500;

/**
 * Watches a page after its analysis, and analyses it again when perceivable content has arrived. Releases the visit's
 * permit meanwhile, so that other visits do not wait.
 * @param keep called with the current result, in case time, page or browser ends before this function does
 */
export async function analyseLate(
  tab: Tab,
  result: DocumentResult,
  options: AnalyseOptions,
  keep: (result: WatchedResult) => void,
): Promise<WatchedResult | Failure> {
  const { deadline, budgetMs } = options;
  // Silenced scripts react to no timer or answer; the result already says that they are silenced.
  if (isSilenced(tab.session) || tab.document() !== result.document) return { ...result, late: [], holdsPermit: true };
  const first: WatchedResult = { ...result, late: ["unwatched"], holdsPermit: false };
  keep(first);
  result.releasePermit();

  const clock = createPageClock(tab);
  const watched = await watchLate(tab, {
    clock,
    document: result.document,
    isolatedWorlds: result.analysis.isolatedWorlds,
    innerDocuments: result.innerDocuments,
    pageMs: budgetMs,
    wallMs: deadline.remaining() - result.analysisMs * SPARE_FOR_SECOND - SPARE_MS,
  }).catch(unwatched);
  clock.run();
  const standing = { ...first, late: watched.late };
  if (!watched.arrived) return standing;

  keep({ ...standing, late: [...watched.late, "unwatched"] });
  const again = await analyseDocument(tab, result.document, { ...options, waitForIdle: true, opening: undefined });
  if (again === SIGN_IN) return again;
  if (typeof again === "string" || "reason" in again || hasLess(again.analysis, result.analysis)) {
    if (typeof again === "object" && "releasePermit" in again) again.releasePermit();
    return { ...standing, late: [...watched.late, "unwatched"] };
  }
  const { waitFor } = options.request;
  const missing = waitFor && result.missing && (await appears(again.isolatedWorld, waitFor)) ? null : result.missing;
  return { ...again, missing, late: watched.late, holdsPermit: true };
}

/** Did fewer rules run to their end? Advanced rules do not count: late content matters more. */
function hasLess(one: Analysis, other: Analysis): boolean {
  const left = ({ partial }: Analysis) => partial.filter((ruleId) => !ADVANCED_RULES.has(ruleId)).length;
  return left(one) > left(other);
}

/** A page that ends or hangs while it is watched keeps its earlier result. */
function unwatched(error: unknown): Watched {
  if (!isGone(error) && !(error instanceof OutOfTime)) throw error;
  return { arrived: false, late: [isGone(error) ? "leaving" : "unwatched"] };
}
