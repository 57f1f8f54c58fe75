import { OutOfTime, within, withinSignal } from "~/platform/async/deadline";
import type { CutConnection } from "~/scan/interaction/cut-connection";
import { openFormsAgain, submitEmptyForms } from "~/scan/interaction/empty-forms";
import { countOpenedForms } from "~/scan/interaction/opened-forms";
import { typeInForms } from "~/scan/interaction/type-in-forms";
import { findTypable } from "~/scan/interaction/typed-text";
import type { IsolatedWorld } from "~/scan/page/isolated-world";
import { isSilenced } from "~/scan/page/stop-scripts";
import type { Tab } from "~/scan/page/tab";
import { analyseParts } from "~/scan/rules/analysis";
import { typedTextKept } from "~/scan/rules/rampe/forms/typed-text-kept";
import { CATEGORIES, type CheckedPage, type PageRequest } from "~/scan/types";
import { addFindings } from "~/scan/visit/add-findings";
import { addPartial } from "~/scan/visit/judge-again";
import { takePictures } from "~/scan/visit/pictures/take-pictures";

/** Time without which nothing is opened. */
const LEAST_MS = 2_000;
const COUNTED_WITHIN_MS = 500;
const OPENED_WITHIN_MS = 2_000;
const SUBMITTED_WITHIN_MS = 3_000;
const TYPED_WITHIN_MS = 2_000;
/** Shares of the time. */
const SHARE_TO_OPEN = 0.2;
const SHARE_TO_SUBMIT = 0.3;
const SHARE_TO_TYPE = 0.15;
const SHARE_FOR_RULES = 0.1;
/** Time for the report after the rules. */
const REPORT_WITHIN_MS = 1_000;
const PICTURES_WITHIN_MS = 500;

interface TryOptions extends Pick<PageRequest, "standard" | "pictures"> {
  /** Time in ms. */
  budgetMs: number;
  /** The page is shown on a phone: the findings are in that condition. */
  isOnPhone?: boolean;
}

/**
 * Opens again the first content with forms that a control has opened (`noteOpenedForms`), tries its forms like those of the page, and adds
 * the findings of the rules about forms. If there are more, the rules are named in `partial`. It stays open, so nothing may follow. Never
 * fails.
 * @param connection undefined if it could not be cut: then nothing is submitted
 * @param ruleIds ids of the rules about forms
 * @param page page whose results are changed
 */
export async function tryOpenedForms(tab: Tab, world: IsolatedWorld, connection: CutConnection | undefined, ruleIds: string[], page: CheckedPage, { standard, pictures, budgetMs, isOnPhone = false }: TryOptions): Promise<void> {
  const end = performance.now() + budgetMs;
  const all = ruleIds.length === 0 ? 0 : await within(COUNTED_WITHIN_MS, world.call(countOpenedForms)).catch(() => 0);
  if (all === 0) return;
  const unfinished = new Set(ruleIds);
  try {
    if (!connection || isSilenced(tab.session)) throw new OutOfTime("the page cannot be used");
    if (atMost(LEAST_MS) >= LEAST_MS) await tryAll(connection);
  } catch {
    // The page went away or hangs: its other results stay.
  }
  addPartial(page, unfinished);

  function atMost(ms: number): number {
    const left = end - performance.now();
    if (left <= 0) throw new OutOfTime("no time is left for forms");
    return Math.min(ms, left);
  }

  async function tryAll(cut: CutConnection): Promise<void> {
    const opened = await withinSignal(atMost(Math.min(OPENED_WITHIN_MS, budgetMs * SHARE_TO_OPEN)), (signal) => openFormsAgain(world, signal));
    if (!opened) return;
    const isWhole = await withinSignal(atMost(Math.min(SUBMITTED_WITHIN_MS, budgetMs * SHARE_TO_SUBMIT)), (signal) => submitEmptyForms(world, cut, opened.kept, signal)).catch(() => false);
    const isSeen = () => isWhole && opened.kept >= all && !isSilenced(tab.session);
    const typable = ruleIds.includes(typedTextKept.id) ? await within(atMost(COUNTED_WITHIN_MS), world.call(findTypable)) : [];
    const later = typable.length > 0 ? [typedTextKept.id] : [];
    // A second refusal may use other elements, so the first one is judged before.
    await report(ruleIds.filter((id) => !later.includes(id)), opened.opener, isSeen);
    if (later.length === 0 || isSilenced(tab.session)) return;
    const isTyped = await withinSignal(atMost(Math.min(TYPED_WITHIN_MS, budgetMs * SHARE_TO_TYPE)), (signal) => typeInForms(world, cut, typable, signal)).catch(() => false);
    await report(later, opened.opener, () => isTyped && isSeen());
  }

  async function report(ids: string[], opener: string, isSeen: () => boolean): Promise<void> {
    if (ids.length === 0) return;
    const rulesMs = atMost(budgetMs * SHARE_FOR_RULES);
    const { findings, partial, firstShown } = await within(atMost(rulesMs + REPORT_WITHIN_MS), analyseParts(world, "opened", standard, ids, rulesMs));
    for (const element of CATEGORIES.flatMap((category) => findings[category]).flatMap(({ elements }) => elements)) element.context = { ...element.context, opened: opener };
    if (pictures && findings.violations.length + findings.incomplete.length > 0) await takePictures(world, findings, Math.min(PICTURES_WITHIN_MS, end - performance.now()), { firstShown });
    addFindings(page, findings, isOnPhone ? "phone" : "opened", { isOpened: true });
    if (isSeen()) for (const id of ids) if (!partial.includes(id)) unfinished.delete(id);
  }
}
