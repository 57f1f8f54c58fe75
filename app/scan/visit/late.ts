import { timeoutFactor } from "~/scan/browser/concurrency";
import { OutOfTime, within } from "~/platform/async/deadline";
import { countPlaceholders, goesByFrames, isLively, nextFrame, showsFrames, takeArrivals } from "~/scan/page/arrivals";
import { pageHeight, scrollThrough } from "~/scan/page/scrolling";
import { listensToScroll } from "~/scan/page/scroll-listeners";
import type { PageClock } from "~/scan/page/page-clock";
import type { MainDocument, Tab } from "~/scan/page/tab";
import type { Late } from "~/scan/types";
import type { IsolatedWorld } from "~/scan/page/isolated-world";

export interface Watched {
  /** The page has content that was not analysed. */
  arrived: boolean;
  late: Late[];
}

export interface WatchOptions {
  clock: PageClock;
  document: MainDocument;
  /** Worlds of the outermost frame and the analysed inner frames, which are watched for changes. */
  isolatedWorlds: IsolatedWorld[];
  /** Number of documents in inner frames before the analysis (`Tab.innerDocuments`). */
  innerDocuments: number;
  /** Time by which the page's own clock advances, in ms. */
  pageMs: number;
  /** Limit for that in real time, in ms. */
  wallMs: number;
}

/** Shares of the page's time. After each except the first, a new frame is drawn if the page may depend on drawn frames. */
const STEPS = [0.1, 0.55, 0.35];
/** Share of the time after which moving content may never stop. */
const LATEST = 0.6;
/** Time for the page to finish a step before its network requests are checked. */
const STEP_WITHIN_MS = 500;
const MOST_SCROLL_STEPS = 30;
const SCROLL_WITHIN_MS = 3_000;
const ANSWER_WITHIN_MS = 1_500;
/** Limit for one task: tasks of a usable page never take longer. */
const TASK_WITHIN_MS = 2_000;
const DRAWN_WITHIN_MS = 150;
/** Maximum number of requests of a watched page; more count as polling, and the watch ends to spare the server. */
const MOST_REQUESTS = 60;
/** Minimum growth by scrolling, in px, that counts as new content. */
const GROWN_PX = 200;

/**
 * Watches an analysed page for late content: scrolls it to its end and back, advances its clock at once instead of
 * waiting for its timers, and waits for the answers that its scripts request.
 * @throws {OutOfTime} when the page no longer responds
 */
export async function watchLate(tab: Tab, options: WatchOptions): Promise<Watched> {
  const { clock, document, isolatedWorlds, pageMs } = options;
  const end = performance.now() + options.wallMs;
  const left = () => Math.max(0, end - performance.now());
  const [main] = isolatedWorlds as [IsolatedWorld];
  const late = new Set<Late>();
  const moved = () => tab.document() !== document;
  const asked = tab.network.begun();
  const isPolling = () => tab.network.begun() - asked > MOST_REQUESTS;

  /** Asks the page's frames for all changes, and for those since the last call. */
  async function ask() {
    const answers = await Promise.all(
      isolatedWorlds.map((isolatedWorld) => answer(isolatedWorld.call(takeArrivals)).catch((error: unknown) => inFrame(isolatedWorld, error))),
    );
    return {
      relevant: answers.some(({ relevant }) => relevant),
      moving: answers.some(({ moving }) => moving),
    };
  }

  function inFrame(isolatedWorld: IsolatedWorld, error: unknown) {
    if (isolatedWorld === main) throw error;
    // The watch of the parent notices a removed frame.
    return { relevant: false, moving: false };
  }

  /** @returns the page's height before scrolling */
  async function scroll(): Promise<number> {
    return within(SCROLL_WITHIN_MS * timeoutFactor(), main.call(scrollThrough, MOST_SCROLL_STEPS));
  }

  /** Advances the page's clock by `ms`. */
  async function pass(ms: number): Promise<void> {
    if (await clock.skip(ms, Math.min(STEP_WITHIN_MS * timeoutFactor(), left()))) return;
    while (left() > 0 && !moved() && !isPolling()) {
      const begun = tab.network.begun();
      const isAsking = () => tab.network.busy() || tab.network.begun() > begun;
      if (tab.network.busy()) await answersCome();
      else if (await clock.skip(ms, TASK_WITHIN_MS * timeoutFactor())) return;
      // No script waits for an answer: something loads endlessly, such as a film.
      else if (!isAsking() && (await clock.advance(ms, TASK_WITHIN_MS * timeoutFactor()))) return;
      else if (!isAsking()) throw new OutOfTime("the page hangs");
    }
  }

  /** @returns false if our time ended before the page's time */
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

  /** Advances the clock again: it may be ahead of an answer to a script, so that repeated requests may not have shown yet. */
  async function passOnceMore(): Promise<void> {
    const begun = tab.network.begun();
    await pass(STEPS.at(-1)! * pageMs);
    if (tab.network.begun() > begun) late.add("moving");
  }

  /** Waits for answers with the page's clock in real time: timers may fire before a slow answer. */
  async function answersCome(): Promise<void> {
    clock.run();
    await tab.until(() => !tab.network.busy() || moved() || isPolling(), left());
    // A closed page never changes, and nothing would wait: this loop would block the whole process.
    if (tab.isClosed()) throw new OutOfTime("the page is closed");
  }

  if (!(await answer(main.call(isLively))) && !tab.hasInnerFrames()) return { arrived: false, late: [] };
  if (left() === 0) return { arrived: false, late: ["unwatched"] };

  let relevant = false;
  // Drawing takes as much processor time as all the rest.
  const isDrawn = await mayGoByFrames();
  const height = (await answer(listensToScroll(tab, isolatedWorlds))) ? await scroll() : await answer(main.call(pageHeight));
  const isWhole = moved() || (await passAll());
  if (!moved()) ({ relevant } = await ask());
  if (!moved() && relevant && left() > 0) {
    // There may be more content below new content.
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

  /** May the page depend on drawn frames? Any loaded script may. */
  async function mayGoByFrames(): Promise<boolean> {
    if (tab.network.scripts() > 0) return true;
    const answers = isolatedWorlds.map((isolatedWorld) => answer(isolatedWorld.call(goesByFrames)).catch((error: unknown) => inFrame(isolatedWorld, error).moving));
    return (await Promise.all(answers)).includes(true);
  }

  function placeholders(): Promise<number> {
    return answer(main.call(countPlaceholders));
  }

  /** Waits until placeholders have disappeared: content of an open connection may arrive at any time. */
  async function placeholdersGo(): Promise<void> {
    clock.run();
    while (left() > 0 && !moved() && (await placeholders()) > 0) await tab.until(moved, Math.min(500, left()));
  }

  async function framesCame(): Promise<boolean> {
    return tab.innerDocuments() > options.innerDocuments && (await answer(main.call(showsFrames)));
  }
}

function answer<Answer>(work: Promise<Answer>): Promise<Answer> {
  return within(ANSWER_WITHIN_MS * timeoutFactor(), work);
}
