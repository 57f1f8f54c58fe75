import type { Failure } from "./classify";
import { OutOfTime } from "~/scan/browser/deadline";
import { analyseDocument, isGone, SIGN_IN, type AnalyseOptions, type DocumentResult } from "./analyse-document";
import { watchLate, type Watched } from "./late";
import { createPageClock } from "~/scan/page/page-clock";
import { isSilenced } from "~/scan/page/stop-scripts";
import type { Tab } from "~/scan/page/tab";
import type { Late } from "~/scan/types";
import { appears } from "./wait-as-asked";

/** What an analysis has seen, and what its page may have shown later. */
export interface SeenInTime extends DocumentResult {
  late: Late[];
  /** It is the visit's turn still. */
  hasTurn: boolean;
}

/** A second analysis takes longer than the first one where others have their turns beside it. */
const SPARE_FOR_SECOND = 1.5;
const SPARE_MS = 1_500;

/**
 * Watches a page after its analysis, and analyses it again when something has come that can be perceived. Nobody waits
 * for it meanwhile: the visit's turn is given away.
 * @param keep called with what stands, should time, page or browser come to an end before this does
 */
export async function examineLate(
  tab: Tab,
  seen: DocumentResult,
  options: AnalyseOptions,
  keep: (seen: SeenInTime) => void,
): Promise<SeenInTime | Failure> {
  const { deadline, budgetMs } = options;
  // No timer or answer makes scripts do anything that are not let run; that they are not is said.
  if (isSilenced(tab.session) || tab.document() !== seen.document) return { ...seen, late: [], hasTurn: true };
  const first: SeenInTime = { ...seen, late: ["unwatched"], hasTurn: false };
  keep(first);
  seen.endTurn();

  const clock = createPageClock(tab);
  const watched = await watchLate(tab, {
    clock,
    document: seen.document,
    worlds: seen.analysis.worlds,
    innerDocuments: seen.innerDocuments,
    pageMs: budgetMs,
    wallMs: deadline.remaining() - seen.analysisMs * SPARE_FOR_SECOND - SPARE_MS,
  }).catch(unwatched);
  clock.run();
  const standing = { ...first, late: watched.late };
  if (!watched.arrived) return standing;

  keep({ ...standing, late: [...watched.late, "unwatched"] });
  const again = await analyseDocument(tab, seen.document, { ...options, patient: true, opening: undefined });
  if (again === SIGN_IN) return again;
  if (typeof again === "string" || "reason" in again || again.analysis.partial.length > seen.analysis.partial.length) {
    if (typeof again === "object" && "endTurn" in again) again.endTurn();
    return { ...standing, late: [...watched.late, "unwatched"] };
  }
  const { waitFor } = options.order;
  const missing = waitFor && seen.missing && (await appears(again.world, waitFor)) ? null : seen.missing;
  return { ...again, missing, late: watched.late, hasTurn: true };
}

/** What keeps a page from being watched takes nothing away from what has been seen of it. */
function unwatched(error: unknown): Watched {
  if (!isGone(error) && !(error instanceof OutOfTime)) throw error;
  return { arrived: false, late: [isGone(error) ? "leaving" : "unwatched"] };
}
