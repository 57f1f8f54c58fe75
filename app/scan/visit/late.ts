import { patience } from "~/scan/browser/concurrency";
import { OutOfTime, within } from "~/scan/browser/deadline";
import { countPlaceholders, goesByFrames, isLively, nextFrame, showsFrames, takeArrivals } from "~/scan/page/arrivals";
import { pageHeight, scrollThrough } from "~/scan/page/scrolling";
import { noticesScrolling } from "~/scan/page/notices-scrolling";
import type { PageClock } from "~/scan/page/page-clock";
import type { MainDocument, Tab } from "~/scan/page/tab";
import type { Late } from "~/scan/types";
import type { IsolatedWorld } from "~/scan/page/isolated-world";

export interface Watched {
  /** There is something on the page that its analysis has not seen. */
  arrived: boolean;
  late: Late[];
}

export interface WatchOptions {
  clock: PageClock;
  document: MainDocument;
  /** Of the outermost frame and of those inside it that were analysed, which are watched for arrivals. */
  worlds: IsolatedWorld[];
  /** Documents in inner frames before the analysis (`Tab.innerDocuments`). */
  innerDocuments: number;
  /** How much of the page's own time is to go by. */
  pageMs: number;
  /** How long that may take by our clock. */
  wallMs: number;
}

/** Shares of the page's time. After each but the first it is drawn anew, where something may go by drawn frames. */
const STEPS = [0.1, 0.55, 0.35];
/** What still moves after this share of the time, may go on for ever. */
const LATEST = 0.6;
/** The page is given so long to go through a step before it is asked what holds it up. */
const STEP_WITHIN_MS = 500;
const MOST_SCROLL_STEPS = 30;
const SCROLL_WITHIN_MS = 3_000;
const ANSWER_WITHIN_MS = 1_500;
/** No task of a page that can be used takes longer. */
const TASK_WITHIN_MS = 2_000;
const DRAWN_WITHIN_MS = 150;
/** Requests of a page while it is watched; one that asks more often is polling, and its server is to be spared. */
const MOST_REQUESTS = 60;
/** A page that grows by less than this when it is scrolled has not got new content. */
const GROWN_PX = 200;

/**
 * Watches a page that has been analysed for what comes late: it is scrolled to its end and back, and gets the time that
 * its timers wait for, at once, as well as the answers that its scripts ask for.
 * @throws {OutOfTime} when the page does not answer any more
 */
export async function watchLate(tab: Tab, options: WatchOptions): Promise<Watched> {
  const { clock, document, worlds, pageMs } = options;
  const end = performance.now() + options.wallMs;
  const left = () => Math.max(0, end - performance.now());
  const [main] = worlds as [IsolatedWorld];
  const late = new Set<Late>();
  const moved = () => tab.document() !== document;
  const asked = tab.network.begun();
  const isPolling = () => tab.network.begun() - asked > MOST_REQUESTS;

  /** In the page's frames: what has changed, and whether something has since the last question. */
  async function ask() {
    const answers = await Promise.all(
      worlds.map((world) => answer(world.call(takeArrivals)).catch((error: unknown) => inFrame(world, error))),
    );
    return {
      relevant: answers.some(({ relevant }) => relevant),
      moving: answers.some(({ moving }) => moving),
    };
  }

  function inFrame(world: IsolatedWorld, error: unknown) {
    if (world === main) throw error;
    // A frame that is gone is noticed in its parent.
    return { relevant: false, moving: false };
  }

  /** @returns the page's height before */
  async function scroll(): Promise<number> {
    return within(SCROLL_WITHIN_MS * patience(), main.call(scrollThrough, MOST_SCROLL_STEPS));
  }

  /** Lets a part of the page's time go by. */
  async function pass(ms: number): Promise<void> {
    if (await clock.skip(ms, Math.min(STEP_WITHIN_MS * patience(), left()))) return;
    while (left() > 0 && !moved() && !isPolling()) {
      const begun = tab.network.begun();
      const isAsking = () => tab.network.busy() || tab.network.begun() > begun;
      if (tab.network.busy()) await answersCome();
      else if (await clock.skip(ms, TASK_WITHIN_MS * patience())) return;
      // No script waits for an answer: it is something that never ends, such as a film.
      else if (!isAsking() && (await clock.advance(ms, TASK_WITHIN_MS * patience()))) return;
      else if (!isAsking()) throw new OutOfTime("the page hangs");
    }
  }

  /** @returns false when our time was over before the page's */
  async function passAll(): Promise<boolean> {
    let passed = 0;
    for (const share of STEPS) {
      const begun = tab.network.begun();
      await pass(share * pageMs);
      if (passed > 0 && isDrawn) await answer(Promise.race([main.call(nextFrame), tab.until(moved, DRAWN_WITHIN_MS)]));
      if (moved()) break;
      const isOver = left() === 0;
      const { moving } = passed > 0 && !isOver ? await ask() : { moving: false };
      const isLast = passed > LATEST || isOver;
      if (isPolling() || (isLast && (moving || tab.network.begun() > begun))) late.add("moving");
      if (isPolling()) break;
      if (isOver) return false;
      passed += share;
    }
    if (!moved() && !late.has("moving") && tab.network.begun() > 0) await passOnceMore();
    return true;
  }

  /** Time may run ahead while an answer is on its way to its script: what asks again and again may not have done so. */
  async function passOnceMore(): Promise<void> {
    const begun = tab.network.begun();
    await pass(STEPS.at(-1)! * pageMs);
    if (tab.network.begun() > begun) late.add("moving");
  }

  /** Meanwhile time goes by as ours does: timers may come before an answer that takes long. */
  async function answersCome(): Promise<void> {
    clock.run();
    await tab.until(() => !tab.network.busy() || moved() || isPolling(), left());
  }

  if (!(await answer(main.call(isLively))) && !tab.hasInnerFrames()) return { arrived: false, late: [] };
  if (left() === 0) return { arrived: false, late: ["unwatched"] };

  let relevant = false;
  // To draw it takes as much of the processor's time as all the rest.
  const isDrawn = await mayGoByFrames();
  const height = (await answer(noticesScrolling(tab, worlds))) ? await scroll() : await answer(main.call(pageHeight));
  const isWhole = moved() || (await passAll());
  if (!moved()) ({ relevant } = await ask());
  if (!moved() && relevant && left() > 0) {
    // What has come may have more below it.
    const grown = await scroll();
    await pass(STEPS[0]! * pageMs);
    if (!moved() && grown > height + GROWN_PX && (await answer(main.call(pageHeight))) > grown + GROWN_PX) late.add("growing");
  }
  if (!moved() && tab.network.busy()) await answersCome();
  if (!moved() && tab.network.streams() > 0) await placeholdersGo();
  if (!moved()) {
    if (tab.network.busy()) late.add("requests");
    if (tab.network.streams() > 0) late.add("connection");
    relevant = (await ask()).relevant || (await framesCame());
    if ((await placeholders()) > 0) late.add("placeholders");
    if (!isWhole && late.size === 0) late.add("unwatched");
  }
  if (moved()) late.add("leaving");
  clock.run();
  return { arrived: !moved() && relevant, late: [...late] };

  /** A script that was loaded may do anything. */
  async function mayGoByFrames(): Promise<boolean> {
    if (tab.network.scripts() > 0) return true;
    const answers = worlds.map((world) => answer(world.call(goesByFrames)).catch((error: unknown) => inFrame(world, error).moving));
    return (await Promise.all(answers)).includes(true);
  }

  function placeholders(): Promise<number> {
    return answer(main.call(countPlaceholders));
  }

  /** What comes by a connection that stays open, comes when it comes. */
  async function placeholdersGo(): Promise<void> {
    clock.run();
    while (left() > 0 && !moved() && (await placeholders()) > 0) await tab.until(moved, Math.min(500, left()));
  }

  async function framesCame(): Promise<boolean> {
    return tab.innerDocuments() > options.innerDocuments && (await answer(main.call(showsFrames)));
  }
}

function answer<Answer>(work: Promise<Answer>): Promise<Answer> {
  return within(ANSWER_WITHIN_MS * patience(), work);
}
