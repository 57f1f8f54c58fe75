import { unlessAborted, within, type Deadline } from "~/platform/async/deadline";
import type { Egress } from "~/scan/network/egress";
import { isSilenced } from "~/scan/page/stop-scripts";
import type { Tab } from "~/scan/page/tab";
import { rulesAfterWatch } from "~/scan/rules/analysis";
import { canMeasureContrast, measureContrast, withoutUnasked } from "~/scan/rules/rampe/color/measure-contrast";
import { stopWatchingSlides } from "~/scan/rules/rampe/media/watch-slides";
import { stopWatchingTexts } from "~/scan/rules/rampe/text/watch-texts";
import { collectFacts } from "~/scan/site/collect-facts";
import { hasSiteRules } from "~/scan/site/judge-site";
import type { CheckedPage, PageRequest, Stage, StageTime } from "~/scan/types";
import type { WatchedResult } from "./analyse-late";
import type { AnalysisPermit } from "./analysis-permit";
import { addPartial } from "./judge-again";
import { operatePage } from "./operate/operate-page";
import { picturePage } from "./pictures/page-picture";
import { FEW, takePictures } from "./pictures/take-pictures";
import { varyPage, type Varied } from "./vary-page";
import { withoutAnswered } from "./without-answered";

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
/** Time from the start of the visit after which a free check has answered with a page that waits for the result. */
const ANSWERED_AFTER_MS = 8_000;
const FEW_PICTURES_WITHIN_MS = 1_500;

export interface CompleteOptions {
  request: PageRequest;
  egress: Egress;
  deadline: Deadline;
  permit: AnalysisPermit;
  /** Same as in `AnalysisOptions`. */
  ownRules: string;
}

/**
 * Completes the analysis of a page: measures contrast, takes pictures, and shows and operates the page in other ways, if the
 * request asks for that.
 * @param page page whose results are changed
 * @returns duration of each stage
 * @throws the reason of the request's signal when that is aborted
 */
export async function completePage(tab: Tab, { isolatedWorld: world, analysis, late, holdsPermit }: WatchedResult, page: CheckedPage, { request, egress, deadline, permit, ownRules }: CompleteOptions): Promise<StageTime[]> {
  const stages: StageTime[] = [];
  const signals = request.signal ? [request.signal] : [];
  const isAdvanced = request.advanced === true && ownRules !== "";
  let isPermitHeld = holdsPermit;

  if (isAdvanced && request.ofSite && hasSiteRules(request.standard, request.rules)) page.facts = await unlessAborted(signals, collectFacts(world));
  // The following steps scroll the page.
  if (isAdvanced) await within(STOP_WATCHING_WITHIN_MS, Promise.all([stopWatchingTexts, stopWatchingSlides].map((stop) => world.call(stop)))).catch(() => {});
  if (request.advanced && canMeasureContrast(page.findings)) await measure();
  // Pictures come before other ways of showing and using the page, which may make it navigate.
  await pictureFindings();
  if (request.pagePicture) await pictureWhole();
  if (isAdvanced) await operate(await vary());
  page.findings = withoutUnasked(withoutAnswered(page.findings), request.rules);
  return stages;

  async function measure(): Promise<void> {
    await holdPermit();
    const contrastMs = Math.min(CONTRAST_WITHIN_MS, deadline.remaining() * SHARE_FOR_CONTRAST);
    await timed("contrast", contrastMs, (ms) => measureContrast(world, page, tab.network.failedImages(), ms));
  }

  async function pictureFindings(): Promise<void> {
    const pictured = request.advanced ? page.findings : { ...page.findings, incomplete: [] };
    const mostMs = msForPictures(request.pictures, deadline.elapsed());
    if (mostMs <= 0 || pictured.violations.length + pictured.incomplete.length === 0) return;
    await holdPermit();
    const picturesMs = Math.min(mostMs, deadline.remaining() * SHARE_FOR_PICTURES);
    await timed("pictures", picturesMs, (ms) => takePictures(world, pictured, ms, { choice: request.pictures === "few" ? FEW : undefined }));
  }

  async function pictureWhole(): Promise<void> {
    await holdPermit();
    const pageMs = Math.min(PAGE_PICTURE_WITHIN_MS, deadline.remaining() * SHARE_FOR_PAGE_PICTURE);
    page.picture = await unlessAborted(signals, picturePage(world, page.findings.violations, pageMs));
  }

  async function vary(): Promise<Varied> {
    await holdPermit();
    return timed("conditions", deadline.remaining() * SHARE_FOR_CONDITIONS, (budgetMs) => varyPage(tab, world, page, { ...request, budgetMs }));
  }

  async function operate({ passed, phoneControls }: Varied): Promise<void> {
    const watched = rulesAfterWatch(request.standard, request.rules);
    const isWatched = !late.includes("unwatched") && !isSilenced(tab.session);
    if (!isWatched) addPartial(page, watched);
    const also = [...passed, ...(isWatched ? watched : [])];
    await timed("use", deadline.remaining() * SHARE_TO_OPERATE, (budgetMs) => operatePage(tab, egress, world, page, { ...request, also, phoneControls, innerFrames: analysis.innerFrames, budgetMs }));
  }

  async function holdPermit(): Promise<void> {
    if (!isPermitHeld) await permit.begin();
    isPermitHeld = true;
  }

  async function timed<Value>(stage: Stage, limitMs: number, run: (limitMs: number) => Promise<Value>): Promise<Value> {
    const begun = deadline.elapsed();
    const value = await unlessAborted(signals, run(limitMs));
    stages.push({ stage, ms: Math.round(deadline.elapsed() - begun), limitMs: Math.round(limitMs) });
    return value;
  }
}

/** Time for pictures: those of a free check must not delay its first answer. @param elapsedMs since the start of the visit */
function msForPictures(pictures: PageRequest["pictures"], elapsedMs: number): number {
  if (!pictures) return 0;
  if (pictures !== "few") return PICTURES_WITHIN_MS;
  if (elapsedMs > ANSWERED_AFTER_MS) return FEW_PICTURES_WITHIN_MS;
  return Math.min(FEW_PICTURES_WITHIN_MS, Math.max(0, ANSWER_WITHIN_MS - elapsedMs));
}
