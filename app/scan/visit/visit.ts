import { presentAccess } from "~/scan/network/access";
import { createAnalysisPermit, type AnalysisPermit } from "./analysis-permit";
import type { AxeSource } from "~/scan/rules/axe-source";
import {
  failureOfEgress,
  failureOfLoading,
  failureOfResponse,
  type Failure,
} from "./classify";
import { OutOfTime, startDeadline, unlessAborted, within, type Deadline } from "~/platform/async/deadline";
import type { Egress } from "~/scan/network/egress";
import { egressTrace } from "~/scan/network/egress-trace";
import { analyseDocument, isComplete, isSignIn, SIGN_IN, type DocumentResult } from "./analyse-document";
import { analyseLate, type WatchedResult } from "./analyse-late";
import type { SizeLimits } from "~/scan/network/network-watch";
import { watchDocument } from "~/scan/page/settle";
import { isSilenced, openResponsiveIsolatedWorld } from "~/scan/page/stop-scripts";
import type { OpenedTab } from "./tab-pool";
import { BrowserDied, PageOvergrown, type MainDocument, type Tab } from "~/scan/page/tab";
import { FEW, takePictures } from "./pictures/take-pictures";
import { picturePage } from "./pictures/page-picture";
import { addPartial } from "./judge-again";
import { varyPage } from "./vary-page";
import { operatePage } from "./operate-page";
import { withoutAnswered } from "./without-answered";
import { rulesAfterWatch } from "~/scan/rules/analysis";
import { noteDrawnWords } from "~/scan/rules/rampe/text-alternatives/drawn-words";
import { stopWatchingSlides } from "~/scan/rules/rampe/media/watch-slides";
import { stopWatchingTexts } from "~/scan/rules/rampe/text/watch-texts";
import { canMeasureContrast, measureContrast, withoutUnasked } from "~/scan/rules/rampe/color/measure-contrast";
import type { CheckedPage, PageRequest, PageResult, Stage, StageTime } from "~/scan/types";
import { collectFacts } from "~/scan/site/collect-facts";
import { hasSiteRules } from "~/scan/site/judge-site";
import { isWebAddress } from "~/scan/network/web-address";
import { openIsolatedWorld, type IsolatedWorld } from "~/scan/page/isolated-world";

export interface VisitOptions {
  /** Opens an empty tab. The visit closes it. */
  open: () => Promise<OpenedTab>;
  /** Waits for a permit to analyse one page; resolves with its release function. */
  takePermit: (signal: AbortSignal) => Promise<() => void>;
  axe: AxeSource;
  /** As in `AnalysisOptions`. */
  ownRules: string;
  /** For the whole page, in ms. */
  budgetMs: number;
}

export const SIZE_LIMITS: SizeLimits = { document: 10_000_000, page: 100_000_000 };

/** With everything, also video and audio, as transferred. */
const MOST_RECEIVED = 500_000_000;
const LOOK_EVERY_MS = 1_000;
const PARSED_WITHIN_MS = 15_000;
/** For images and frames, after all markup has arrived. */
const LOADED_WITHIN_MS = 5_000;
const HEADERS_WITHIN_MS = 200;
const CONTRAST_WITHIN_MS = 8_000;
const PICTURES_WITHIN_MS = 2_000;
const PAGE_PICTURE_WITHIN_MS = 1_500;
const STOP_WATCHING_WITHIN_MS = 1_000;
/** Shares of the remaining time. */
const SHARE_FOR_CONTRAST = 0.3;
const SHARE_FOR_CONDITIONS = 0.4;
const SHARE_TO_OPERATE = 0.6;
const SHARE_FOR_PICTURES = 0.5;
const SHARE_FOR_PAGE_PICTURE = 0.2;
/** Time for pictures of a free check, from the start of the visit. It answers within 8 s; storing and the last picture need the rest. */
const ANSWER_WITHIN_MS = 6_000;
/** From the start of the visit: by then, a free check has answered with a page that waits for the result. */
const ANSWERED_AFTER_MS = 8_000;
const FEW_PICTURES_WITHIN_MS = 1_500;
const LOAD_EVENT_WITHIN_MS = 500;
const ENDLESS_NAVIGATION: Failure = {
  reason: "redirect_loop",
  detail: { technical: "the page led on to another one again and again" },
};

/** Ends with the tab. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Documents that a page may lead to before one stays. */
const MOST_DOCUMENTS = 10;
const MOST_ANALYSES = 3;

/**
 * Visits one address as an anonymous visitor would, and analyses its content. When it resolves, the page has no
 * connection any more, and its tab is closing.
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
    const { document, isolatedWorld, whole, httpStatus, facts, closedShadowRoots, analysis, late, missing } = inspected;
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
    const stages: StageTime[] = [{ stage: "analysis", ms: Math.round(deadline.elapsed()), limitMs: options.budgetMs }];
    const asked = request.signal ? [request.signal] : [];
    const timed = async <Value>(stage: Stage, limitMs: number, run: (limitMs: number) => Promise<Value>): Promise<Value> => {
      const begun = deadline.elapsed();
      const value = await unlessAborted(asked, run(limitMs));
      stages.push({ stage, ms: Math.round(deadline.elapsed() - begun), limitMs: Math.round(limitMs) });
      return value;
    };
    if (request.advanced && request.ofSite && options.ownRules && hasSiteRules(request.standard, request.rules)) {
      result.facts = await unlessAborted(asked, collectFacts(isolatedWorld));
    }
    let { holdsPermit } = inspected;
    // What follows scrolls the page.
    if (request.advanced && options.ownRules) await within(STOP_WATCHING_WITHIN_MS, Promise.all([stopWatchingTexts, stopWatchingSlides].map((stop) => isolatedWorld.call(stop)))).catch(() => {});
    if (request.advanced && canMeasureContrast(result.findings)) {
      if (!holdsPermit) await permit.begin();
      holdsPermit = true;
      const contrastMs = Math.min(CONTRAST_WITHIN_MS, deadline.remaining() * SHARE_FOR_CONTRAST);
      await timed("contrast", contrastMs, (ms) => measureContrast(isolatedWorld, result, tab.network.failedImages(), ms));
    }
    // What comes next shows or uses the page in other ways, and may lead it away.
    const pictured = request.advanced ? result.findings : { ...result.findings, incomplete: [] };
    const mostMs = msForPictures(request.pictures, deadline.elapsed());
    if (mostMs > 0 && pictured.violations.length + pictured.incomplete.length > 0) {
      if (!holdsPermit) await permit.begin();
      holdsPermit = true;
      const picturesMs = Math.min(mostMs, deadline.remaining() * SHARE_FOR_PICTURES);
      await timed("pictures", picturesMs, (ms) => takePictures(isolatedWorld, pictured, ms, { choice: request.pictures === "few" ? FEW : undefined }));
    }
    if (request.pagePicture) {
      if (!holdsPermit) await permit.begin();
      holdsPermit = true;
      const pageMs = Math.min(PAGE_PICTURE_WITHIN_MS, deadline.remaining() * SHARE_FOR_PAGE_PICTURE);
      result.picture = await unlessAborted(asked, picturePage(isolatedWorld, result.findings.violations, pageMs));
    }
    if (request.advanced && options.ownRules) {
      if (!holdsPermit) await permit.begin();
      const unvaried = await timed("conditions", deadline.remaining() * SHARE_FOR_CONDITIONS, (budgetMs) => varyPage(tab, isolatedWorld, result, { ...request, budgetMs }));
      const watched = rulesAfterWatch(request.standard, request.rules);
      const isWatched = !late.includes("unwatched") && !isSilenced(tab.session);
      if (!isWatched) addPartial(result, watched);
      const also = [...unvaried, ...(isWatched ? watched : [])];
      await timed("use", deadline.remaining() * SHARE_TO_OPERATE, (budgetMs) => operatePage(tab, egress, isolatedWorld, result, { ...request, also, budgetMs }));
    }
    result.findings = withoutUnasked(withoutAnswered(result.findings), request.rules);
    return { ...result, stages, durationMs: page(document.url).durationMs };
  } catch (error) {
    request.signal?.throwIfAborted();
    return failed(failureOfError(error), addressReached(tab));
  } finally {
    deadline.clear();
    permit.end();
    void opened.close();
  }
}

/** Those of a free check must not delay its first answer. @param elapsedMs since the start of the visit */
function msForPictures(pictures: PageRequest["pictures"], elapsedMs: number): number {
  if (!pictures) return 0;
  if (pictures !== "few") return PICTURES_WITHIN_MS;
  if (elapsedMs > ANSWERED_AFTER_MS) return FEW_PICTURES_WITHIN_MS;
  return Math.min(FEW_PICTURES_WITHIN_MS, Math.max(0, ANSWER_WITHIN_MS - elapsedMs));
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
  // Workers and sockets load what the browser does not tell of.
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
