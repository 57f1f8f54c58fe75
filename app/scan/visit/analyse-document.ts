import { analyse, type Analysis } from "~/scan/rules/analysis";
import type { AnalysisPermit } from "./analysis-permit";
import { awaitAppearance } from "~/scan/page/await-appearance";
import type { AxeSource } from "~/scan/rules/axe-source";
import { failureOfDocument, type Failure } from "./classify";
import { countClosedRoots } from "~/scan/page/closed-roots";
import type { Deadline } from "~/platform/async/deadline";
import type { Egress } from "~/scan/network/egress";
import { frameDirectory } from "~/scan/page/frame-directory";
import { describeLinks } from "~/scan/page/links";
import { describeDocument, type DocumentFacts } from "~/scan/page/observe";
import { describeSignInForm } from "./sign-in-form";
import { seemsAtRest, settle, stayedAtRest } from "~/scan/page/settle";
import { isAnotherPage, ledToSignIn } from "./sign-in";
import { callOrTerminateScripts, isSilenced, openResponsiveIsolatedWorld } from "~/scan/page/stop-scripts";
import type { MainDocument, Tab } from "~/scan/page/tab";
import type { Gaps, PageRequest } from "~/scan/types";
import { waitAsRequested } from "./wait-as-requested";
import type { IsolatedWorld } from "~/scan/page/isolated-world";

/** Shares of the remaining time; the analysis needs the rest. */
const SHARE_TO_SETTLE = 0.25;
const SHARE_TO_APPEAR = 0.4;
/** Share of the remaining time; the rest is for the last steps: a small delay there must not lose the findings. */
const SHARE_TO_ANALYSE = 0.95;

/** Limits for the links taken from a page. */
const MOST_LINKS = 5_000;
const LONGEST_LINK = 2_000;

export interface AnalyseOptions {
  request: PageRequest;
  axe: AxeSource;
  /** Same as in `AnalysisOptions`. */
  ownRules: string;
  egress: Egress;
  deadline: Deadline;
  permit: AnalysisPermit;
  /** Time for the whole page, in ms. */
  budgetMs: number;
  /** Always waits for the document to come to rest, instead of testing afterwards whether that was needed. */
  waitForIdle: boolean;
  /** The document's isolated world, if it was already requested. */
  opening?: Promise<IsolatedWorld>;
}

export interface DocumentResult {
  document: MainDocument;
  /** Isolated world of the analysis. */
  isolatedWorld: IsolatedWorld;
  /** The document's scripts had finished their work. */
  whole: boolean;
  httpStatus: number;
  facts: DocumentFacts;
  closedShadowRoots: number;
  analysis: Analysis;
  /** Duration in ms. */
  analysisMs: number;
  /** Number of documents in inner frames at the start (`Tab.innerDocuments`). */
  innerDocuments: number;
  missing: Gaps["missing"];
  /** Releases the visit's permit. */
  releasePermit: () => void;
}

/**
 * Reason of a missing result: the page went on to another document, before or after its analysis, or it seemed to be at rest
 * but was not.
 */
export type Superseded = "left" | "left_analysed" | "changing";

/** Input of an analysis. */
interface ReadyDocument {
  isolatedWorld: IsolatedWorld;
  whole: boolean;
  /** The document seems to be at rest, and is analysed without waiting. */
  optimistic: boolean;
  httpStatus: number;
  facts: DocumentFacts;
  missing: Gaps["missing"];
}

/** Judges an arrived document and analyses it. When it returns a `DocumentResult`, the visit still holds its permit. */
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
    await announce(tab, document, ready.isolatedWorld, options.request);
    const closedShadowRoots = await callOrTerminateScripts(tab.session, () => countClosedRoots(ready.isolatedWorld));
    const releasePermit = await options.permit.begin();
    let result: DocumentResult | undefined;
    try {
      // Other visits may have run first.
      if (moved()) return "left";
      if (ready.optimistic && !(await seemsAtRest(tab, ready.isolatedWorld))) return "changing";
      analysed = true;
      const found = await analyseReady(tab, document, ready, options);
      if (moved()) return "left_analysed";
      if (found === "changing") return found;
      // The scripts may have changed the address or the content meanwhile.
      if (await isSignIn(tab, document, ready.isolatedWorld, options.request)) return SIGN_IN;
      result = { ...found, closedShadowRoots, releasePermit };
      return result;
    } finally {
      if (!result) releasePermit();
    }
  } catch (error) {
    // The isolated world ends a moment before the new document arrives; the document of a `javascript:` address has the
    // id of its predecessor.
    const left = (await tab.until(moved, 500)) || (isGone(error) && !tab.crashed.aborted);
    if (left) return analysed ? "left_analysed" : "left";
    throw error;
  }
}

/** A sign-in. Both addresses already contain the details. */
export const SIGN_IN: Failure = { reason: "login_required", detail: {} };

/** Did the page lead to a sign-in instead of the requested page? */
export async function isSignIn(tab: Tab, { url }: MainDocument, isolatedWorld: IsolatedWorld, request: PageRequest): Promise<boolean> {
  if (!isAnotherPage(request.url, url)) return false;
  return ledToSignIn(request.url, url, await callOrTerminateScripts(tab.session, () => isolatedWorld.call(describeSignInForm)));
}

/** Does the document of the call no longer exist? */
export const isGone = (error: unknown): boolean =>
  error instanceof Error && /context was destroyed|Cannot find context|navigated or closed/i.test(error.message);

/**
 * Waits until a document is at rest (unless it already seems so) and judges it; undefined when it is replaced before
 * that.
 */
async function judge(
  tab: Tab,
  document: MainDocument,
  options: AnalyseOptions,
): Promise<ReadyDocument | Failure | undefined> {
  const { request, axe, deadline, waitForIdle, opening } = options;
  const settled = (meanwhile?: () => void) =>
    settle(tab, isolatedWorld, deadline.remaining() * SHARE_TO_SETTLE, meanwhile);
  const describe = () => callOrTerminateScripts(tab.session, () => isolatedWorld.call(describeDocument));

  const isolatedWorld = await openResponsiveIsolatedWorld(tab.session, tab.mainFrameId, undefined, opening);
  // If a script of the page blocks this, the analysis tries again.
  const readAxe = () => void isolatedWorld.evaluate(axe.script).catch(() => {});
  let optimistic = !waitForIdle && (await seemsAtRest(tab, isolatedWorld));
  let whole = true;
  if (optimistic) readAxe();
  else whole = await settled(readAxe);

  let missing: Gaps["missing"] = null;
  if (!waitForIdle && (request.waitMs || request.waitFor)) {
    optimistic = false;
    missing = await waitAsRequested(tab, isolatedWorld, request, deadline.remaining());
    if (tab.document() === document) whole = await settled();
  }
  let facts = await describe();
  if (tab.document() !== document) return undefined;
  const { status, headers } = tab.network.request(document.id)?.response ?? { status: 200, headers: {} };
  if (!facts.perceivable && status < 400) {
    // The wait below is enough.
    optimistic = false;
    if (await awaitAppearance(tab, isolatedWorld, deadline.remaining() * SHARE_TO_APPEAR)) {
      whole = (await settled()) && whole;
      facts = await describe();
    }
  }
  const hasContent = facts.perceivable || facts.concealed;
  const { isPicture } = facts;
  const failure = failureOfDocument({ ...facts, status, headers }, { hasContent, isPicture }, tab.network.request(document.id)?.error);
  const mayBeSignIn = failure === undefined || (failure.reason === "http_status" && status === 403);
  if (mayBeSignIn && (await isSignIn(tab, document, isolatedWorld, options.request))) return SIGN_IN;
  return failure ?? { isolatedWorld, whole, optimistic, httpStatus: status, facts, missing };
}

async function announce(tab: Tab, document: MainDocument, isolatedWorld: IsolatedWorld, { onArrival, signal }: PageRequest): Promise<void> {
  if (!onArrival) return;
  const links = await callOrTerminateScripts(tab.session, () => isolatedWorld.call(describeLinks, MOST_LINKS, LONGEST_LINK));
  onArrival({ url: document.url, ...links });
  signal?.throwIfAborted();
}

async function analyseReady(
  tab: Tab,
  document: MainDocument,
  { isolatedWorld, whole: wasWhole, optimistic, httpStatus, facts, missing }: ReadyDocument,
  { request, axe, ownRules, egress, deadline, budgetMs }: AnalyseOptions,
): Promise<Omit<DocumentResult, "closedShadowRoots" | "releasePermit"> | "changing"> {
  // The rules may miss content that arrives while they run.
  let whole = wasWhole && isComplete(tab, document);
  const innerDocuments = tab.innerDocuments();
  const begun = performance.now();
  const analysis = await analyse(isolatedWorld, {
    standard: request.standard,
    rules: request.rules,
    advanced: request.advanced,
    script: axe.script,
    ownRules,
    frames: frameDirectory(tab, egress),
    budgetMs: deadline.remaining() * SHARE_TO_ANALYSE,
    onSilence: () => (whole = false),
  });
  const analysisMs = performance.now() - begun;
  const isSame = tab.document() === document;
  // Silenced scripts change nothing more, so waiting is useless.
  const mayChange = optimistic && isSame && !isSilenced(tab.session);
  if (mayChange && !(await stayedAtRest(tab, isolatedWorld))) {
    if (deadline.remaining() > budgetMs / 2) return "changing";
    whole = false;
  }
  return { document, isolatedWorld, whole, httpStatus, facts, analysis, analysisMs, innerDocuments, missing };
}

/** Loaded completely, with no break in its markup. */
export function isComplete(tab: Tab, document: MainDocument): boolean {
  return document.loaded && tab.network.request(document.id)?.error === undefined;
}
