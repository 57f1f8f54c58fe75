import { analyse, type Analysis } from "~/scan/rules/analysis";
import type { AnalysisPermit } from "./analysis-permit";
import { awaitAppearance } from "~/scan/page/await-appearance";
import type { AxeSource } from "~/scan/rules/axe-source";
import { failureOfDocument, type Failure } from "./classify";
import { countClosedRoots } from "~/scan/page/closed-roots";
import type { Deadline } from "~/scan/browser/deadline";
import type { Egress } from "~/scan/network/egress";
import { frameDirectory } from "~/scan/page/frame-directory";
import { describeLinks } from "~/scan/page/links";
import { describeDocument, type DocumentFacts } from "~/scan/page/observe";
import { describeSignInForm } from "./sign-in-form";
import { seemsAtRest, settle, stayedAtRest } from "~/scan/page/settle";
import { isAnotherPage, ledToSignIn } from "./sign-in";
import { callOrTerminateScripts, isSilenced, openResponsiveWorld } from "~/scan/page/stop-scripts";
import type { MainDocument, Tab } from "~/scan/page/tab";
import type { Gaps, PageRequest } from "~/scan/types";
import { waitAsAsked } from "./wait-as-asked";
import type { IsolatedWorld } from "~/scan/page/isolated-world";

/** Of the time that is left; the analysis needs the rest. */
const SHARE_TO_SETTLE = 0.25;
const SHARE_TO_APPEAR = 0.4;
/** The rest is for the last steps, so that they do not lose by a hair what has been found. */
const SHARE_TO_ANALYSE = 0.95;

/** What is followed of a page's links. */
const MOST_LINKS = 5_000;
const LONGEST_LINK = 2_000;

export interface AnalyseOptions {
  order: PageRequest;
  axe: AxeSource;
  egress: Egress;
  deadline: Deadline;
  turn: AnalysisPermit;
  /** For the whole page, in ms. */
  budgetMs: number;
  /** Waits for the document in any case, instead of having a look afterwards whether that was needed. */
  patient: boolean;
  /** The document's script world, if it has been asked for. */
  opening?: Promise<IsolatedWorld>;
}

export interface DocumentResult {
  document: MainDocument;
  /** Where it was analysed. */
  world: IsolatedWorld;
  /** Its scripts had done what they had begun. */
  whole: boolean;
  httpStatus: number;
  facts: DocumentFacts;
  closedShadowRoots: number;
  analysis: Analysis;
  /** Time in ms that it took. */
  analysisMs: number;
  /** Documents in inner frames when it began (`Tab.innerDocuments`). */
  innerDocuments: number;
  missing: Gaps["missing"];
  /** Gives the visit's turn away. */
  endTurn: () => void;
}

/**
 * Why there is nothing to tell: the page went on to another document, before or after it was analysed, or it was taken
 * for one at rest, and was not.
 */
export type Superseded = "left" | "left_analysed" | "changing";

/** What an analysis takes. */
interface Ready {
  world: IsolatedWorld;
  whole: boolean;
  /** Taken for one at rest without waiting for it. */
  hasty: boolean;
  httpStatus: number;
  facts: DocumentFacts;
  missing: Gaps["missing"];
}

/** Judges a document that has arrived, and analyses it. With something seen, the turn is still the visit's. */
export async function analyseDocument(
  tab: Tab,
  document: MainDocument,
  options: AnalyseOptions,
): Promise<DocumentResult | Failure | Superseded> {
  const moved = () => tab.document() !== document;
  let analysed = false;
  try {
    const ready = await judge(tab, document, options);
    if (ready === undefined || moved()) return "left";
    if ("reason" in ready) return ready;
    await announce(tab, document, ready.world, options.order);
    const closedShadowRoots = await callOrTerminateScripts(tab.session, () => countClosedRoots(ready.world));
    const endTurn = await options.turn.begin();
    let seen: DocumentResult | undefined;
    try {
      // Others may have had theirs first.
      if (moved()) return "left";
      if (ready.hasty && !(await seemsAtRest(tab, ready.world))) return "changing";
      analysed = true;
      const found = await analyseReady(tab, document, ready, options);
      if (moved()) return "left_analysed";
      if (found === "changing") return found;
      // Its scripts may have changed the address meanwhile, or what is shown at it.
      if (await isSignIn(tab, document, ready.world, options.order)) return SIGN_IN;
      seen = { ...found, closedShadowRoots, endTurn };
      return seen;
    } finally {
      if (!seen) endTurn();
    }
  } catch (error) {
    // The script world is gone a moment before the new document is there; that of a `javascript:` address comes under
    // the id of the one before.
    const left = (await tab.until(moved, 500)) || (isGone(error) && !tab.crashed.aborted);
    if (left) return analysed ? "left_analysed" : "left";
    throw error;
  }
}

/** With both addresses, that is all there is to say. */
export const SIGN_IN: Failure = { reason: "login_required", detail: {} };

/** Has the page led to a sign-in, in the place of what was asked for? */
export async function isSignIn(tab: Tab, { url }: MainDocument, world: IsolatedWorld, order: PageRequest): Promise<boolean> {
  if (!isAnotherPage(order.url, url)) return false;
  return ledToSignIn(order.url, url, await callOrTerminateScripts(tab.session, () => world.call(describeSignInForm)));
}

/** The document has gone in which something was to be done. */
export const isGone = (error: unknown): boolean =>
  error instanceof Error && /context was destroyed|Cannot find context|navigated or closed/i.test(error.message);

/**
 * Waits until a document is at rest, unless it seems to be already, and judges it; undefined when it has gone before
 * that.
 */
async function judge(
  tab: Tab,
  document: MainDocument,
  options: AnalyseOptions,
): Promise<Ready | Failure | undefined> {
  const { order, axe, deadline, patient, opening } = options;
  const settled = (meanwhile?: () => void) =>
    settle(tab, world, deadline.remaining() * SHARE_TO_SETTLE, meanwhile);
  const describe = () => callOrTerminateScripts(tab.session, () => world.call(describeDocument));

  const world = await openResponsiveWorld(tab.session, tab.mainFrameId, undefined, opening);
  // Where a script of the page is in the way, the analysis tries again.
  const readAxe = () => void world.evaluate(axe.script).catch(() => {});
  let hasty = !patient && (await seemsAtRest(tab, world));
  let whole = true;
  if (hasty) readAxe();
  else whole = await settled(readAxe);

  let missing: Gaps["missing"] = null;
  if (!patient && (order.waitMs || order.waitFor)) {
    hasty = false;
    missing = await waitAsAsked(tab, world, order, deadline.remaining());
    if (tab.document() === document) whole = await settled();
  }
  let facts = await describe();
  if (tab.document() !== document) return undefined;
  const { status, headers } = tab.network.request(document.id)?.response ?? { status: 200, headers: {} };
  if (!facts.perceivable && status < 400) {
    // That is patience enough.
    hasty = false;
    if (await awaitAppearance(tab, world, deadline.remaining() * SHARE_TO_APPEAR)) {
      whole = (await settled()) && whole;
      facts = await describe();
    }
  }
  const hasContent = facts.perceivable || facts.concealed;
  const failure = failureOfDocument({ ...facts, status, headers }, hasContent, tab.network.request(document.id)?.error);
  const mayBeSignIn = failure === undefined || (failure.reason === "http_status" && status === 403);
  if (mayBeSignIn && (await isSignIn(tab, document, world, options.order))) return SIGN_IN;
  return failure ?? { world, whole, hasty, httpStatus: status, facts, missing };
}

async function announce(tab: Tab, document: MainDocument, world: IsolatedWorld, { onArrival, signal }: PageRequest): Promise<void> {
  if (!onArrival) return;
  const links = await callOrTerminateScripts(tab.session, () => world.call(describeLinks, MOST_LINKS, LONGEST_LINK));
  onArrival({ url: document.url, ...links });
  signal?.throwIfAborted();
}

async function analyseReady(
  tab: Tab,
  document: MainDocument,
  { world, whole: wasWhole, hasty, httpStatus, facts, missing }: Ready,
  { order, axe, egress, deadline, budgetMs }: AnalyseOptions,
): Promise<Omit<DocumentResult, "closedShadowRoots" | "endTurn"> | "changing"> {
  // What comes while the rules run, they may have missed.
  let whole = wasWhole && isComplete(tab, document);
  const innerDocuments = tab.innerDocuments();
  const begun = performance.now();
  const analysis = await analyse(world, {
    standard: order.standard,
    script: axe.script,
    frames: frameDirectory(tab, egress),
    budgetMs: deadline.remaining() * SHARE_TO_ANALYSE,
    onSilence: () => (whole = false),
  });
  const analysisMs = performance.now() - begun;
  const isSame = tab.document() === document;
  // Where scripts had to be silenced, waiting for them would bring nothing more.
  const mayChange = hasty && isSame && !isSilenced(tab.session);
  if (mayChange && !(await stayedAtRest(tab, world))) {
    if (deadline.remaining() > budgetMs / 2) return "changing";
    whole = false;
  }
  return { document, world, whole, httpStatus, facts, analysis, analysisMs, innerDocuments, missing };
}

/** Loaded to the end, without a break in its markup. */
export function isComplete(tab: Tab, document: MainDocument): boolean {
  return document.loaded && tab.network.request(document.id)?.error === undefined;
}
