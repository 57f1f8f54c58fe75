import { analyse, type Analysis } from "./analysis";
import { createAnalysisTurn, type AnalysisTurn } from "./analysis-turn";
import { awaitAppearance } from "./await-appearance";
import type { AxeSource } from "./axe-source";
import {
  failureOfDocument,
  failureOfEgress,
  failureOfLoading,
  failureOfResponse,
  type Failure,
} from "./classify";
import { countClosedRoots } from "./closed-roots";
import { OutOfTime, startDeadline, type Deadline } from "./deadline";
import type { Egress } from "./egress";
import { egressTrace } from "./egress-trace";
import { frameDirectory } from "./frame-directory";
import { describeLinks } from "./in-page/links";
import { describeDocument, type DocumentFacts } from "./in-page/observe";
import type { SizeLimits } from "./network-watch";
import { seemsAtRest, settle, stayedAtRest, watchDocument } from "./settle";
import { insist, isSilenced, openAnsweringWorld } from "./stop-scripts";
import type { OpenedTab } from "./spare-tabs";
import { BrowserDied, PageOvergrown, type MainDocument, type Tab } from "./tab";
import type { PageOrder, PageResult } from "./types";
import { isWebAddress } from "./web-address";
import { openWorld, type World } from "./world";

export interface VisitOptions {
  /** Gives an empty tab. The visit closes it. */
  open: () => Promise<OpenedTab>;
  /** Waits until one more page may be analysed; gives what says that it has been. */
  takeTurn: (signal: AbortSignal) => Promise<() => void>;
  axe: AxeSource;
  /** For the whole page, in ms. */
  budgetMs: number;
}

export const SIZE_LIMITS: SizeLimits = { document: 10_000_000, page: 100_000_000 };

const PARSED_WITHIN_MS = 15_000;
/** For images and frames, once all markup is there. */
const LOADED_WITHIN_MS = 5_000;
const HEADERS_WITHIN_MS = 200;
const LOAD_EVENT_WITHIN_MS = 500;
/** Of the time that is left; the analysis needs the rest. */
const SHARE_TO_SETTLE = 0.25;

const LEADS_ON: Failure = {
  reason: "redirect_loop",
  detail: { technical: "the page led on to another one again and again" },
};

/** Ends with the tab. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Documents that a page may lead on to before one stays. */
const MOST_DOCUMENTS = 10;
const MOST_ANALYSES = 3;

/** What is followed of a page's links. */
const MOST_LINKS = 5_000;
const LONGEST_LINK = 2_000;

/**
 * Visits one address as an anonymous visitor would, and analyses what it shows. When it answers, the page has no
 * connection any more, and its tab is being closed.
 * @throws the reason of the order's signal, when that is aborted; what keeps a tab from being opened
 */
export async function visit(order: PageOrder, options: VisitOptions): Promise<PageResult> {
  const checkedAt = Date.now();
  let durationMs = () => 0;
  const page = (finalUrl: string) => ({ url: order.url, finalUrl, checkedAt, durationMs: Math.round(durationMs()) });
  const failed = ({ reason, detail }: Failure, finalUrl = order.url): PageResult => {
    return { ...page(finalUrl), status: "failed", reason, detail };
  };
  if (!isWebAddress(order.url)) return failed({ reason: "invalid_url", detail: {} });

  const opened = await options.open();
  const { tab, egress } = opened;
  const deadline = startDeadline(options.budgetMs);
  durationMs = deadline.elapsed;
  const turn = createAnalysisTurn(options.takeTurn, deadline);
  try {
    const seen = await inspect(tab, { ...options, order, egress, deadline, turn, worlds: new WeakMap() });
    if ("reason" in seen) return failed(seen, reached(tab));
    const { document, whole, httpStatus, facts, closedShadowRoots, analysis } = seen;
    return {
      ...page(document.url),
      status: "succeeded",
      title: facts.title,
      lang: facts.lang,
      httpStatus,
      partial: analysis.partial,
      gaps: {
        frames: analysis.framesLeftOut,
        closedShadowRoots,
        resources: tab.network.failures(),
        concealed: facts.concealed,
        unfinished: !whole || facts.broken || isSilenced(tab.session) || !isWhole(tab, document),
      },
      findings: analysis.findings,
    };
  } catch (error) {
    order.signal?.throwIfAborted();
    return failed(failureOfError(error), reached(tab));
  } finally {
    deadline.clear();
    turn.end();
    void opened.close();
  }
}

/** How far the page got. */
function reached(tab: Tab): string | undefined {
  return tab.network.navigation(tab.mainFrameId)?.url;
}

/** Loaded to the end, without a break in its markup. */
function isWhole(tab: Tab, document: MainDocument): boolean {
  return document.loaded && tab.network.request(document.id)?.error === undefined;
}

function failureOfError(error: unknown): Failure {
  const technical = error instanceof Error ? error.message : String(error);
  if (error instanceof PageOvergrown) return { reason: "too_large", detail: { technical } };
  if (error instanceof BrowserDied) return { reason: "crashed", detail: { technical, browserDied: true } };
  return { reason: error instanceof OutOfTime ? "timeout" : "crashed", detail: { technical } };
}

interface Inspection extends VisitOptions {
  order: PageOrder;
  egress: Egress;
  deadline: Deadline;
  turn: AnalysisTurn;
  /** Worlds that were opened before their documents were loaded. */
  worlds: WeakMap<MainDocument, Promise<World>>;
}

interface Seen {
  document: MainDocument;
  /** Its scripts had done what they had begun. */
  whole: boolean;
  httpStatus: number;
  facts: DocumentFacts;
  closedShadowRoots: number;
  analysis: Analysis;
}

/** Loads and analyses, until there is an outcome, or the time, the page or the patience is over. */
async function inspect(tab: Tab, inspection: Inspection): Promise<Seen | Failure> {
  const { order, deadline } = inspection;
  const seen = Promise.race([follow(tab, inspection), growsTooLarge(tab, deadline), deadline.over]);
  return unlessAborted(order.signal ? [tab.crashed, order.signal] : [tab.crashed], seen);
}

async function unlessAborted<T>(signals: AbortSignal[], work: Promise<T>): Promise<T> {
  const finished = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    for (const signal of signals) {
      const fail = () => reject(signal.reason as Error);
      if (signal.aborted) fail();
      else signal.addEventListener("abort", fail, { signal: finished.signal });
    }
  });
  // A scanner's signal outlives the page by far.
  return Promise.race([work, aborted]).finally(() => finished.abort());
}

async function growsTooLarge({ network, until }: Tab, { over }: Deadline): Promise<Failure> {
  const grown = await until(() => network.tooLarge() !== undefined, LONGEST_TIMER_MS);
  const what = (grown && network.tooLarge()) || (await over);
  return { reason: "too_large", detail: { technical: `${what} of more than ${SIZE_LIMITS[what]} bytes` } };
}

async function follow(tab: Tab, inspection: Inspection): Promise<Seen | Failure> {
  tab.navigate(inspection.order.url);
  let analyses = 0;
  let patient = false;
  let latest: MainDocument | undefined;
  for (let documents = 0; documents < MOST_DOCUMENTS && analyses < MOST_ANALYSES; documents += 1) {
    // One that was waited for need not be waited for again.
    const document = latest && patient && tab.document() === latest ? latest : await arrive(tab, inspection);
    if ("reason" in document) return document;
    latest = document;
    let analysed = false;
    const seen = await examine(tab, document, { ...inspection, patient }, () => (analysed = true));
    if (seen && seen !== "changing") return seen;
    // One that was in vain for want of patience is not the page's fault.
    patient = seen === "changing";
    if (analysed && !patient) analyses += 1;
  }
  return LEADS_ON;
}

/** Waits for a document to load; takes one that never finishes as it stands. */
async function arrive(tab: Tab, inspection: Inspection): Promise<MainDocument | Failure> {
  const { egress, budgetMs } = inspection;
  const parsedMs = Math.min(PARSED_WITHIN_MS, budgetMs / 2);
  const loadedMs = Math.min(LOADED_WITHIN_MS, budgetMs / 4);
  const hopeless = () => failureOfNavigation(tab, egress);
  const passed = new Set<string>();
  const goesOn = () => {
    const id = tab.document()?.id;
    if (id !== undefined) passed.add(id);
    return passed.size > MOST_DOCUMENTS;
  };
  const over = () =>
    goesOn() ||
    hopeless() !== undefined || tab.document()?.loaded === true || tab.document()?.stopped === true;
  await tab.until(() => over() || tab.document()?.parsed === true, parsedMs);
  if (tab.document()?.parsed && !over()) {
    prepareWorld(tab, inspection);
    await tab.until(over, loadedMs);
  }
  // The news that nothing more comes may be faster than the parser, and than the load event.
  if (tab.document()?.stopped) await tab.until(() => tab.document()?.loaded === true || goesOn(), LOAD_EVENT_WITHIN_MS);
  // The headers of a redirect that goes nowhere may come after the news that nothing came of it.
  if (hopeless()?.reason === "crashed") await tab.until(() => hopeless()?.reason !== "crashed", HEADERS_WITHIN_MS);
  const failure = hopeless();
  if (failure) return failure;
  if (goesOn()) return LEADS_ON;
  return tab.document() ?? { reason: "timeout", detail: { technical: `no document within ${parsedMs} ms` } };
}

/** What can be done while the images of a document are loading: begin to watch its changes, and read axe-core. */
function prepareWorld(tab: Tab, { axe, worlds }: Inspection): void {
  const document = tab.document();
  if (!document || worlds.has(document)) return;
  const opening = openWorld(tab.session, tab.mainFrameId);
  worlds.set(document, opening);
  opening
    .then(async (world) => {
      await watchDocument(world);
      await world.evaluate(axe.script);
    })
    // Where a script of the page is in the way, it is dealt with when the world is needed.
    .catch(() => {});
}

/** What is known to be wrong with the latest address that the page went to. */
function failureOfNavigation(tab: Tab, egress: Egress): Failure | undefined {
  const navigation = tab.network.navigation(tab.mainFrameId);
  if (!navigation) return undefined;
  const { id, url, error, response } = navigation;
  const document = tab.document();
  const replacesDocument = document === undefined || document.id === id;

  if (response && replacesDocument) {
    // What looks like the site's error may be the egress filter's answer.
    const { outcome, address } =
      response.status >= 400 ? egressTrace(egress, response.url) : { outcome: undefined };
    if (outcome) return failureOfEgress(outcome, address);
    const failure = failureOfResponse(response, SIZE_LIMITS.document);
    if (failure) return failure;
  }
  // A download, or a page that changed its mind: what was shown before stays. So does what came before a break.
  const stays = replacesDocument ? document?.shown === true : error === "net::ERR_ABORTED";
  if (!error || stays) return undefined;
  return failureOfLoading(error, egressTrace(egress, url), url);
}

/**
 * Judges and analyses a document. Unless `patient`, does not wait for one that seems to be at rest, but has a look
 * afterwards whether it was.
 * @returns undefined when the page has gone on to another document meanwhile, "changing" when it was not at rest
 */
async function examine(
  tab: Tab,
  document: MainDocument,
  { order, axe, egress, deadline, turn, worlds, budgetMs, patient }: Inspection & { patient: boolean },
  analysing: () => void,
): Promise<Seen | Failure | "changing" | undefined> {
  const moved = () => tab.document() !== document;
  try {
    let whole = true;
    const silenced = () => void (whole = false);
    const opening = worlds.get(document);
    // A `javascript:` address may put another document in the place of this one, and nothing tells.
    worlds.delete(document);
    const world = await openAnsweringWorld(tab.session, tab.mainFrameId, silenced, opening);
    // Where a script of the page is in the way, the analysis tries again.
    const readAxe = () => void world.evaluate(axe.script).catch(() => {});
    let hasty = !patient && (await seemsAtRest(tab, world));
    if (hasty) readAxe();
    else whole = (await settle(tab, world, deadline.remaining() * SHARE_TO_SETTLE, readAxe)) && whole;
    const describe = () => insist(tab.session, () => world.call(describeDocument), () => (whole = false));
    let facts = await describe();
    if (moved()) return undefined;
    const { status, headers } = tab.network.request(document.id)?.response ?? { status: 200, headers: {} };
    if (!facts.perceivable && status < 400) {
      const hasAppeared = await awaitAppearance(tab, world, deadline.remaining() * 0.4);
      // That was patience enough.
      hasty = false;
      if (hasAppeared) {
        whole = (await settle(tab, world, deadline.remaining() * SHARE_TO_SETTLE)) && whole;
        facts = await describe();
      }
    }
    if (moved()) return undefined;
    const failure = failureOfDocument(
      { ...facts, status, headers },
      facts.perceivable || facts.concealed,
      tab.network.request(document.id)?.error,
    );
    if (failure) return failure;
    if (order.onArrival) {
      order.onArrival({ url: document.url, ...(await world.call(describeLinks, MOST_LINKS, LONGEST_LINK)) });
      order.signal?.throwIfAborted();
    }

    const closedShadowRoots = await insist(tab.session, () => countClosedRoots(world), () => (whole = false));
    const endTurn = await turn.begin();
    try {
      // Others may have had theirs first.
      if (moved()) return undefined;
      if (hasty && !(await seemsAtRest(tab, world))) return "changing";
      analysing();
      // What comes while the rules run, they may have missed.
      whole = whole && isWhole(tab, document);
      const analysis = await analyse(world, {
        standard: order.standard,
        script: axe.script,
        frames: frameDirectory(tab, egress),
        // The rest is for the last steps, so that they do not lose by a hair what has been found.
        budgetMs: deadline.remaining() * 0.95,
        onSilence: () => (whole = false),
      });
      if (hasty && !moved() && !(await stayedAtRest(tab, world))) {
        if (deadline.remaining() > budgetMs / 2) return "changing";
        whole = false;
      }
      return moved() ? undefined : { document, whole, httpStatus: status, facts, closedShadowRoots, analysis };
    } finally {
      endTurn();
    }
  } catch (error) {
    // The script world is gone a moment before the new document is there.
    if (await tab.until(moved, 500)) return undefined;
    // The document of a `javascript:` address comes under the id of the one before.
    if (isGone(error) && !tab.crashed.aborted) return undefined;
    throw error;
  }
}

const isGone = (error: unknown) =>
  error instanceof Error && /context was destroyed|Cannot find context/i.test(error.message);
