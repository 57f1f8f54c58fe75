import type { ShownGlobals } from "~/scan/conditions/shown-facts";
import type { OpeningGlobals } from "~/scan/interaction/opening/opening-log";
import type { StartDialogGlobals } from "~/scan/interaction/start-dialog-log";
import type { PausingGlobals } from "~/scan/page/pause";
import type { AnalyserGlobals } from "./analyser";
import type { FrameContext } from "./axe-internals";
import type { AxeOptions } from "./axe-options";

/*
 * These functions run inside a page, in a world that `prepareAnalyser` has prepared. They are sent as source text: none may use
 * anything outside itself except types.
 */

/**
 * Runs the rules on this frame's own document. After an interrupted run it continues with the remaining rules. Resolves
 * with the frames that axe wants to see inside, each as the context to analyse there.
 */
export async function runRules(
  context: FrameContext,
  options: AxeOptions,
  hasFrames: boolean,
): Promise<FrameContext[]> {
  const { axe, analyser, pause } = globalThis as unknown as AnalyserGlobals & PausingGlobals;
  if (!analyser.mediaAwaited) await mediaLoaded();
  analyser.mediaAwaited = true;

  // Partial state of an interrupted run must not be reused.
  axe.teardown();
  axe._running = false;
  analyser.specs = new WeakMap();
  analyser.preparing = true;
  analyser.partials = [await axe.runPartial(analyser.parts ? { ...context, include: analyser.parts } : context, options)];
  return hasFrames ? analyser.inner.map((frame) => frame.context) : [];

  /**
   * `no-autoplay-audio` needs the length of audio. axe itself waits 10 s for it, even if loading has already failed, so
   * its own wait is switched off (`axe-options.ts`).
   */
  async function mediaLoaded(): Promise<void> {
    const loading = autoplaying(document).filter(isLoading);
    for (let tries = 0; tries < 200 && loading.some(isLoading); tries += 1) {
      await pause(50);
    }
  }

  function autoplaying(root: Document | ShadowRoot): HTMLMediaElement[] {
    const here = [...root.querySelectorAll<HTMLMediaElement>("video[autoplay], audio[autoplay]")];
    for (const { shadowRoot } of root.querySelectorAll("*"))
      if (shadowRoot instanceof ShadowRoot) here.push(...autoplaying(shadowRoot));
    return here;
  }

  function isLoading(media: HTMLMediaElement): boolean {
    return media.readyState === 0 && media.networkState === media.NETWORK_LOADING;
  }
}

/**
 * Moves the rule that was running in an interrupted run to the end; if it is stopped again there, it is given up. Returns the
 * interrupted step: "nothing" when the run had not even started.
 */
export function putRunningRuleAside(): "a rule" | "preparing" | "nothing" {
  const { axe, analyser } = globalThis as unknown as AnalyserGlobals;
  const { running } = analyser;
  if (!running) return analyser.preparing ? "preparing" : "nothing";
  analyser.running = undefined;
  const { rules } = axe._audit;
  const at = rules.findIndex(({ id }) => id === running);
  if (at === rules.length - 1) analyser.unfinished.add(running);
  else rules.push(...rules.splice(at, 1));
  return "a rule";
}

/** Uses only the finished rules, after the last interrupted run, or if there was no time to begin one. Returns the same as `runRules`. */
export function takeFinished(options: AxeOptions, hasFrames: boolean): FrameContext[] {
  const { axe, analyser } = globalThis as unknown as AnalyserGlobals;
  const { context, finished, unfinished, inner } = analyser;
  // Without a run, the results of the one before would be reported again.
  const asked = axe._audit.rules.filter((rule) => axe.utils.ruleShouldRun(rule, context ?? { frames: [], page: analyser.parts === undefined }, options));
  for (const { id } of asked) if (!finished.has(id)) unfinished.add(id);
  // An earlier run in this document may have finished others.
  const results = asked.flatMap(({ id }) => finished.get(id) ?? []);
  analyser.partials = [{ results, frames: inner.map(({ spec }) => spec) }];
  return hasFrames ? inner.map((frame) => frame.context) : [];
}

/** Lets rules run again in this document. */
export function forgetRules(ids: string[]): void {
  const { finished, unfinished } = (globalThis as unknown as AnalyserGlobals).analyser;
  for (const id of ids) {
    finished.delete(id);
    unfinished.delete(id);
  }
}

export function countRules(): { finished: number; unfinished: string[] } {
  const { finished, unfinished } = (globalThis as unknown as AnalyserGlobals).analyser;
  return { finished: finished.size, unfinished: [...unfinished] };
}

/** Reason why parts of a page are judged by themselves: a control has opened them, a condition shows them, or they belong to dialogs at arrival. */
export type Appearing = "opened" | "shown" | "dialog";

/** Prepares another run of the same rules: only on the parts that have appeared, or on the whole document again. */
export function beginAgain(by: Appearing | null): void {
  const { analyser, rampeOpenings, rampeShown, rampeStartDialogs } = globalThis as unknown as AnalyserGlobals & OpeningGlobals & ShownGlobals & StartDialogGlobals;
  const { appeared = [] } = (by === "opened" ? rampeOpenings : by === "dialog" ? rampeStartDialogs : rampeShown) ?? {};
  analyser.parts = by === null ? undefined : appeared.filter(({ isConnected }) => isConnected);
  analyser.finished = new Map();
  analyser.unfinished = new Set();
  analyser.context = undefined;
}

/** The frame element at this index in the result of `runRules`. */
export function frameElement(index: number): Element | null {
  return (globalThis as unknown as AnalyserGlobals).analyser.frames[index] ?? null;
}
