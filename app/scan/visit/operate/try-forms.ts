import { within, withinSignal } from "~/platform/async/deadline";
import type { CutConnection } from "~/scan/interaction/cut-connection";
import { findEmptyForms, submitEmptyForms } from "~/scan/interaction/empty-forms";
import { findTypable } from "~/scan/interaction/typed-text";
import { typeInForms } from "~/scan/interaction/type-in-forms";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { isSilenced, stopIfHanging } from "~/scan/page/stop-scripts";
import type { Tab } from "~/scan/page/tab";
import { typedTextKept } from "~/scan/rules/rampe/forms/typed-text-kept";
import type { CheckedPage, PageRequest } from "~/scan/types";
import { addPartial, judgeAgain } from "~/scan/visit/judge-again";

const FOUND_WITHIN_MS = 1_000;
const SUBMITTED_WITHIN_MS = 4_000;
const TYPED_WITHIN_MS = 3_000;
/** Shares of the time. */
const SHARE_TO_SUBMIT = 0.3;
const SHARE_TO_TYPE = 0.2;
const SHARE_FOR_RULES = 0.15;
const SHARE_FOR_EVIDENCE = 0.1;
/** Time for the report after the rules. */
const REPORT_WITHIN_MS = 3_000;
const EVIDENCE_WITHIN_MS = 1_000;

interface TryOptions extends Pick<PageRequest, "standard" | "pictures"> {
  /** Time in ms. */
  budgetMs: number;
}

interface FormsToTry {
  /** Number of forms to try; undefined if the page did not answer. */
  count: number | undefined;
  /** The page has more forms than are tried, or fields that belong to none. */
  hasMore: boolean;
  /** Ids of the rules about forms. */
  ruleIds: string[];
}

/** Finds the forms to try. Never fails. @param ruleIds ids of the rules about forms; without any, no form is searched */
export async function formsToTry(world: IsolatedWorld, ruleIds: string[]): Promise<FormsToTry> {
  if (ruleIds.length === 0) return { count: 0, hasMore: false, ruleIds };
  const found = await within(FOUND_WITHIN_MS, findEmptyForms(world)).catch((error: unknown) => stopIfHanging(world.session, error).catch(() => {}));
  return { count: found?.kept, hasMore: found ? found.all > found.kept || found.hasFieldsBeyond : false, ruleIds };
}

/**
 * Submits the forms of a page empty, then with a text in one field, and adds the findings of the rules about forms. Rules with missing tests are
 * named in `partial`. Forms change the page, so nothing may follow. Never fails.
 * @param connection undefined if it could not be cut: then nothing is submitted
 * @param page page whose results are changed
 */
export async function tryForms(
  tab: Tab,
  world: IsolatedWorld,
  connection: CutConnection | undefined,
  { count, hasMore, ruleIds }: FormsToTry,
  page: CheckedPage,
  { standard, pictures, budgetMs }: TryOptions,
): Promise<void> {
  let unfinished = ruleIds;
  try {
    if (connection && count !== undefined && !isSilenced(tab.session)) await judge(connection, count);
  } catch {
    // The page went away or hangs: its other results stay.
  }
  addPartial(page, unfinished);

  async function judge(cut: CutConnection, most: number): Promise<void> {
    const isWhole = await withinSignal(Math.min(SUBMITTED_WITHIN_MS, budgetMs * SHARE_TO_SUBMIT), (signal) => submitEmptyForms(world, cut, most, signal)).catch(() => false);
    const typable = ruleIds.includes(typedTextKept.id) ? await within(FOUND_WITHIN_MS, world.call(findTypable)).catch(() => []) : [];
    // A second refusal may use other elements, so the first one is judged before.
    const later = typable.length > 0 ? [typedTextKept.id] : [];
    const sooner = ruleIds.filter((id) => !later.includes(id));
    const partial = sooner.length > 0 ? await report(sooner) : [];
    // Without its scripts, the page does not behave as for users.
    const isSeen = () => isWhole && !hasMore && !isSilenced(tab.session);
    unfinished = [...(isSeen() ? partial : sooner), ...later];
    if (later.length === 0 || isSilenced(tab.session)) return;
    const isTyped = await withinSignal(Math.min(TYPED_WITHIN_MS, budgetMs * SHARE_TO_TYPE), (signal) => typeInForms(world, cut, typable, signal)).catch(() => false);
    const laterPartial = await report(later);
    if (isTyped && isSeen()) unfinished = [...unfinished.filter((id) => !later.includes(id)), ...laterPartial];
  }

  /** Adds the current findings of rules. @returns ids of the unfinished rules */
  async function report(ids: string[]): Promise<string[]> {
    const rulesMs = budgetMs * SHARE_FOR_RULES;
    const picturesMs = () => Math.min(EVIDENCE_WITHIN_MS, budgetMs * SHARE_FOR_EVIDENCE);
    const { partial } = await judgeAgain(world, page, { standard, pictures, ids, rulesMs, reportedMs: rulesMs + REPORT_WITHIN_MS, picturesMs });
    return partial;
  }
}
