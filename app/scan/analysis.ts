import { axeOptions, type AxeOptions } from "./axe-options";
import { OutOfTime, within } from "./deadline";
import type { FrameDirectory } from "./frame-directory";
import {
  addPartial,
  countRules,
  finishReport,
  frameElement,
  putRunningRuleAside,
  prepareAnalyser,
  runRules,
  startNoMoreRules,
  takePartial,
  type Report,
  type ReportLimits,
} from "./in-page/analyser";
import type { FrameContext } from "./in-page/axe-internals";
import { openAnsweringWorld, stopScripts } from "./stop-scripts";
import type { Standard } from "./types";
import type { World } from "./world";

export interface AnalysisOptions {
  standard: Standard;
  /** axe-core as script text. */
  script: string;
  frames: FrameDirectory;
  /** Time in ms; rules that are not through by then are named in `partial`. */
  budgetMs: number;
}

export interface Analysis extends Report {
  /** Rules that ran out of time in one frame or another, by id. */
  partial: string[];
  /** Addresses of frames that could not be analysed. */
  framesLeftOut: string[];
}

const REPORTER = "rampe";

const LIMITS: ReportLimits = {
  htmlBytes: 2_048,
  elementsPerFinding: 1_000,
  reportCharacters: 30_000_000,
  dataCharacters: 4_096,
  messageCharacters: 1_000,
};

/** More frames are no page any more, but an attack or an accident. */
const MOST_FRAMES = 50;

/** Kept back from the budget, to gather what there is and make the report. */
const reserveOf = (budgetMs: number) => Math.min(3_000, budgetMs * 0.2);

/** A run that gets less time than this cannot even begin. */
const SHORTEST_RUN_MS = 250;

/**
 * Runs axe-core on a document and the frames inside it, in script worlds of our own.
 * @throws {OutOfTime} when not even a part of the rules could be run
 */
export async function analyse(main: World, options: AnalysisOptions): Promise<Analysis> {
  const { frames, script, budgetMs } = options;
  const axe = axeOptions(options.standard, REPORTER);
  const runEnd = performance.now() + budgetMs - reserveOf(budgetMs);
  const left = () => runEnd - performance.now();
  const partial = new Set<string>();
  const framesLeftOut: string[] = [];
  let frameCount = 0;

  async function analyseFrame(world: World, context: FrameContext): Promise<FrameContext[]> {
    await within(Math.max(SHORTEST_RUN_MS, left()), prepare(world, script));
    const inner = await runWithin(left, world, context, axe, frames.hasInnerFrames());
    const { finished, unfinished } = await world.call(countRules);
    if (finished === 0) throw new OutOfTime("no rule was through in time");
    for (const rule of unfinished) partial.add(rule);
    return inner;
  }

  /** One after the other, in the order in which axe expects their results. */
  async function analyseInside(world: World, contexts: FrameContext[]): Promise<void> {
    for (const [index, context] of contexts.entries()) {
      const frameId = await world.frameIn(frameElement, index);
      const frame = frameId && (await openFrame(world, frameId));
      const inner = frame && (await analyseInner(frame, context));
      if (inner) {
        await analyseInside(frame, inner);
        continue;
      }
      await main.call(addPartial, "null");
      framesLeftOut.push(frameId ? frames.innerFrame(frameId).url : "");
    }
  }

  async function openFrame(parent: World, frameId: string): Promise<World | undefined> {
    frameCount += 1;
    if (frameCount > MOST_FRAMES || left() < SHORTEST_RUN_MS || !frames.innerFrame(frameId).shown)
      return undefined;
    const session = frames.sessionOf(frameId) ?? parent.session;
    return openAnsweringWorld(session, frameId).catch(() => undefined);
  }

  async function analyseInner(frame: World, context: FrameContext): Promise<FrameContext[] | undefined> {
    try {
      const inner = await analyseFrame(frame, context);
      await main.call(addPartial, await frame.call(takePartial));
      return inner;
    } catch {
      return undefined;
    }
  }

  await analyseInside(main, await analyseFrame(main, { exclude: [] }));
  const report = JSON.parse(await main.call(finishReport, axe)) as Report;
  return { ...report, partial: [...partial].sort(), framesLeftOut };
}

async function prepare(world: World, script: string): Promise<void> {
  await world.evaluate(script);
  await world.call(prepareAnalyser, REPORTER, LIMITS);
}

/**
 * Runs the rules of one frame. A run gets half of the time that is left; when that is over, it is stopped, the rule that
 * it was stopped in gives way to the others, or is given up if it took most of the run. At last, what is there is
 * gathered.
 */
async function runWithin(
  left: () => number,
  world: World,
  context: FrameContext,
  options: AxeOptions,
  hasFrames: boolean,
): Promise<FrameContext[]> {
  for (let runMs = left() / 2; runMs > SHORTEST_RUN_MS; runMs = left() / 2) {
    const inner = await tryRun(runMs, world, context, options, hasFrames);
    if (inner) return inner;
    await stopScripts(world.session);
    await within(SHORTEST_RUN_MS * 4, world.call(putRunningRuleAside, runMs / 2));
  }
  await within(SHORTEST_RUN_MS * 4, world.call(startNoMoreRules));
  return runRulesIn(world, context, options, hasFrames);
}

async function tryRun(
  ms: number,
  ...run: Parameters<typeof runRulesIn>
): Promise<FrameContext[] | undefined> {
  try {
    return await within(ms, runRulesIn(...run));
  } catch (error) {
    if (error instanceof OutOfTime) return undefined;
    throw error;
  }
}

const runRulesIn = (world: World, context: FrameContext, options: AxeOptions, hasFrames: boolean) =>
  world.call(runRules, context, options, hasFrames);
