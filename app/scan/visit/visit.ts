import { presentAccess } from "~/scan/network/access";
import { createAnalysisPermit, type AnalysisPermit } from "./analysis-permit";
import type { AxeSource } from "~/scan/rules/axe-source";
import {
  failureOfEgress,
  failureOfLoading,
  failureOfResponse,
  type Failure,
} from "./classify";
import { OutOfTime, startDeadline, unlessAborted, type Deadline } from "~/platform/async/deadline";
import type { Egress } from "~/scan/network/egress";
import { egressTrace } from "~/scan/network/egress-trace";
import { analyseDocument, isComplete, isSignIn, SIGN_IN, type DocumentResult } from "./analyse-document";
import { analyseLate, type WatchedResult } from "./analyse-late";
import { completePage } from "./complete-page";
import type { SizeLimits } from "~/scan/network/network-watch";
import { watchDocument } from "~/scan/page/settle";
import { isSilenced, openResponsiveIsolatedWorld } from "~/scan/page/stop-scripts";
import type { OpenedTab } from "./tab-pool";
import { BrowserDied, PageOvergrown, type MainDocument, type Tab } from "~/scan/page/tab";
import { noteDrawnWords } from "~/scan/rules/rampe/text-alternatives/drawn-words";
import type { CheckedPage, PageRequest, PageResult, StageTime } from "~/scan/types";
import { isWebAddress } from "~/scan/network/web-address";
import { openIsolatedWorld, type IsolatedWorld } from "~/scan/page/isolated-world";

export interface VisitOptions {
  /** Opens an empty tab. The visit closes it. */
  open: () => Promise<OpenedTab>;
  /** Waits for a permit to analyse one page; resolves with its release function. */
  takePermit: (signal: AbortSignal) => Promise<() => void>;
  axe: AxeSource;
  /** Same as in `AnalysisOptions`. */
  ownRules: string;
  /** Time for the whole page, in ms. */
  budgetMs: number;
}

export const SIZE_LIMITS: SizeLimits = { document: 10_000_000, page: 100_000_000 };

/** Maximum of received bytes, as transferred, including video and audio. */
const MOST_RECEIVED = 500_000_000;
const LOOK_EVERY_MS = 1_000;
const PARSED_WITHIN_MS = 15_000;
/** Time for images and frames, after all markup has arrived. */
const LOADED_WITHIN_MS = 5_000;
const HEADERS_WITHIN_MS = 200;
const LOAD_EVENT_WITHIN_MS = 500;
const ENDLESS_NAVIGATION: Failure = {
  reason: "redirect_loop",
  detail: { technical: "the page led on to another one again and again" },
};

/** Longest possible timer; it ends with the tab. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Maximum number of documents to which a page may navigate. */
const MOST_DOCUMENTS = 10;
const MOST_ANALYSES = 3;

/**
 * Visits one address as an anonymous visitor, and analyses its content. When it resolves, the page has no connection any more, and
 * its tab is closing.
 * @throws the reason of the request's signal when that is aborted; the error when no tab can be opened
 */
export async function visit(request: PageRequest, options: VisitOptions): Promise<PageResult> {
  const checkedAt = Date.now();
  let durationMs = () => 0;
  const page = (finalUrl: string) => ({ url: request.url, finalUrl, checkedAt, durationMs: Math.round(durationMs()) });
  const failed = ({ reason, detail }: Failure, finalUrl = request.url): PageResult => {
    return { ...page(finalUrl), status: "failed", reason, detail };
  };
  if (!isWebAddress(request.url)) return failed({ reason: "invalid_url", detail: {} });

  const opened = await options.open();
  const { tab, egress } = opened;
  const deadline = startDeadline(options.budgetMs);
  durationMs = deadline.elapsed;
  const permit = createAnalysisPermit(options.takePermit, deadline);
  try {
    const inspected = await inspect(tab, { ...options, request, egress, deadline, permit, isolatedWorlds: new WeakMap() });
    if ("reason" in inspected) return failed(inspected, addressReached(tab));
    const { document, whole, httpStatus, facts, closedShadowRoots, analysis, late, missing } = inspected;
    const result: CheckedPage = {
      ...page(document.url),
      status: "succeeded",
      title: facts.title,
      lang: facts.lang,
      httpStatus,
      partial: analysis.partial,
      gaps: {
        frames: analysis.skippedFrames,
        closedShadowRoots,
        resources: tab.network.failures(),
        concealed: facts.concealed,
        unfinished: !whole || facts.broken || isSilenced(tab.session) || !isComplete(tab, document),
        late,
        missing,
      },
      findings: analysis.findings,
    };
    const analysed: StageTime = { stage: "analysis", ms: Math.round(deadline.elapsed()), limitMs: options.budgetMs };
    const completed = await completePage(tab, inspected, result, { ...options, request, egress, deadline, permit });
    return { ...result, stages: [analysed, ...completed], durationMs: page(document.url).durationMs };
  } catch (error) {
    request.signal?.throwIfAborted();
    return failed(failureOfError(error), addressReached(tab));
  } finally {
    deadline.clear();
    permit.end();
    void opened.close();
  }
}

/** Last address reached. */
function addressReached(tab: Tab): string | undefined {
  const [navigation, document] = [tab.network.navigation(tab.mainFrameId), tab.document()];
  // A script may have changed the address.
  return document?.shown && document.id === navigation?.id ? document.url : navigation?.url;
}

function failureOfError(error: unknown): Failure {
  const technical = error instanceof Error ? error.message : String(error);
  if (error instanceof PageOvergrown) return { reason: "too_large", detail: { technical } };
  if (error instanceof BrowserDied) return { reason: "crashed", detail: { technical, browserDied: true } };
  return { reason: error instanceof OutOfTime ? "timeout" : "crashed", detail: { technical } };
}

interface Inspection extends VisitOptions {
  request: PageRequest;
  egress: Egress;
  deadline: Deadline;
  permit: AnalysisPermit;
  /** Isolated worlds opened before their documents were loaded. */
  isolatedWorlds: WeakMap<MainDocument, Promise<IsolatedWorld>>;
  /** Result that stays valid, whatever happens to the page later. */
  result?: WatchedResult;
}

/** Loads and analyses until there is an outcome, the time is over, or the page ends. */
async function inspect(tab: Tab, inspection: Inspection): Promise<WatchedResult | Failure> {
  const { request, deadline } = inspection;
  const inspecting = Promise.race([follow(tab, inspection), growsTooLarge(tab, inspection), deadline.over]);
  try {
    const outcome = await unlessAborted(request.signal ? [tab.crashed, request.signal] : [tab.crashed], inspecting);
    // If a page grew too large or failed while it was watched, the earlier result stays.
    return "reason" in outcome && outcome !== SIGN_IN ? (inspection.result ?? outcome) : outcome;
  } catch (error) {
    request.signal?.throwIfAborted();
    if (inspection.result) return inspection.result;
    throw error;
  }
}

async function growsTooLarge({ network, until }: Tab, { egress, deadline }: Inspection): Promise<Failure> {
  let look: NodeJS.Timeout | undefined;
  // The browser does not report what workers and sockets load.
  const flooded = new Promise<void>((resolve) => {
    look = setInterval(() => egress.bytes() > MOST_RECEIVED && resolve(), LOOK_EVERY_MS).unref();
  });
  try {
    await Promise.race([until(() => network.tooLarge() !== undefined, LONGEST_TIMER_MS), flooded]);
  } finally {
    clearInterval(look);
  }
  const received = egress.bytes();
  if (received > MOST_RECEIVED) return { reason: "too_large", detail: { technical: `${received} bytes received` } };
  const what = network.tooLarge() ?? (await deadline.over);
  return { reason: "too_large", detail: { technical: `${what} of more than ${SIZE_LIMITS[what]} bytes` } };
}

async function follow(tab: Tab, inspection: Inspection): Promise<WatchedResult | Failure> {
  const { access, url } = inspection.request;
  if (access) await presentAccess(tab, inspection.egress, access);
  if (inspection.request.advanced && inspection.ownRules) await noteDrawnWords(tab.session);
  tab.navigate(url);
  let analyses = 0;
  let waitForIdle = false;
  let latest: MainDocument | undefined;
  for (let documents = 0; documents < MOST_DOCUMENTS && analyses < MOST_ANALYSES; documents += 1) {
    // No second wait for the same document.
    const document = latest && waitForIdle && tab.document() === latest ? latest : await arrive(tab, inspection);
    if ("reason" in document) return document;
    latest = document;
    const opening = inspection.isolatedWorlds.get(document);
    // A `javascript:` address may replace the document without any event.
    inspection.isolatedWorlds.delete(document);
    const examined = await analyseDocument(tab, document, { ...inspection, waitForIdle, opening });
    if (typeof examined === "object") return "reason" in examined ? examined : await watchAnalysed(tab, examined, inspection);
    waitForIdle = examined === "changing";
    if (examined === "left_analysed") analyses += 1;
  }
  return ENDLESS_NAVIGATION;
}

/** Watches a page after its analysis; a page that goes on to a sign-in counts as not checked. */
async function watchAnalysed(tab: Tab, result: DocumentResult, inspection: Inspection): Promise<WatchedResult | Failure> {
  const watched = await analyseLate(tab, result, { ...inspection, waitForIdle: true }, (standing) => (inspection.result = standing));
  if ("reason" in watched || !watched.late.includes("leaving")) return watched;
  inspection.result = watched;
  const next = await arrive(tab, inspection);
  if ("reason" in next || next === result.document) return watched;
  const isolatedWorld = await openResponsiveIsolatedWorld(tab.session, tab.mainFrameId);
  return (await isSignIn(tab, next, isolatedWorld, inspection.request)) ? SIGN_IN : watched;
}

/** Waits for a document to load; one that never finishes is used in its current state. */
async function arrive(tab: Tab, inspection: Inspection): Promise<MainDocument | Failure> {
  const { egress, budgetMs } = inspection;
  const parsedMs = Math.min(PARSED_WITHIN_MS, budgetMs / 2);
  const loadedMs = Math.min(LOADED_WITHIN_MS, budgetMs / 4);
  const failureSoFar = () => failureOfNavigation(tab, egress);
  const passed = new Set<string>();
  const goesOn = () => {
    const id = tab.document()?.id;
    if (id !== undefined) passed.add(id);
    return passed.size > MOST_DOCUMENTS;
  };
  const over = () =>
    goesOn() ||
    failureSoFar() !== undefined || tab.document()?.loaded === true || tab.document()?.stopped === true;
  await tab.until(() => over() || tab.document()?.parsed === true, parsedMs);
  if (tab.document()?.parsed && !over()) {
    prepareIsolatedWorld(tab, inspection);
    await tab.until(over, loadedMs);
  }
  // The "stopped loading" event may come before the parser ends and before the load event.
  if (tab.document()?.stopped) await tab.until(() => tab.document()?.loaded === true || goesOn(), LOAD_EVENT_WITHIN_MS);
  // The headers of a failed redirect may come after the event of its failure.
  if (failureSoFar()?.reason === "crashed") await tab.until(() => failureSoFar()?.reason !== "crashed", HEADERS_WITHIN_MS);
  const failure = failureSoFar();
  if (failure) return failure;
  if (goesOn()) return ENDLESS_NAVIGATION;
  return tab.document() ?? { reason: "timeout", detail: { technical: `no document within ${parsedMs} ms` } };
}

/** Uses the time while a document's images load: watches for changes, and reads axe-core. */
function prepareIsolatedWorld(tab: Tab, { axe, isolatedWorlds }: Inspection): void {
  const document = tab.document();
  if (!document || isolatedWorlds.has(document)) return;
  const opening = openIsolatedWorld(tab.session, tab.mainFrameId);
  isolatedWorlds.set(document, opening);
  opening
    .then(async (isolatedWorld) => {
      await watchDocument(isolatedWorld);
      await isolatedWorld.evaluate(axe.script);
    })
    // If a script of the page blocks this, the code that needs the isolated world handles it.
    .catch(() => {});
}

/** The known failure of the page's latest navigation. */
function failureOfNavigation(tab: Tab, egress: Egress): Failure | undefined {
  const navigation = tab.network.navigation(tab.mainFrameId);
  if (!navigation) return undefined;
  const { id, url, error, response } = navigation;
  const document = tab.document();
  const replacesDocument = document === undefined || document.id === id;

  if (response && replacesDocument) {
    // An apparent error of the site may be the egress filter's answer.
    const { outcome, address } =
      response.status >= 400 ? egressTrace(egress, response.url) : { outcome: undefined };
    if (outcome) return failureOfEgress(outcome, address);
    const failure = failureOfResponse(response, SIZE_LIMITS.document);
    if (failure) return failure;
  }
  // After a download or a cancelled navigation, the earlier document stays. So does the part loaded before an
  // interruption.
  const stays = replacesDocument ? document?.shown === true : error === "net::ERR_ABORTED";
  if (!error || stays) return undefined;
  return failureOfLoading(error, egressTrace(egress, url), url);
}
