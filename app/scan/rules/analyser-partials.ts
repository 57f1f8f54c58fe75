import type { AnalyserGlobals } from "./analyser";
import type { PartialResult } from "./axe-internals";
import type { AxeOptions } from "./axe-options";

/*
 * These functions run inside a page, in a world that `prepareAnalyser` has prepared. They are sent as source text: none may use
 * anything outside itself except types.
 */

/** Inner frames only: returns the frame's result, for transfer to the outermost one. */
export function takePartial(): string {
  return JSON.stringify((globalThis as unknown as AnalyserGlobals).analyser.partials[0] ?? null);
}

/**
 * Outermost frame only: adds an inner frame's result, in tree order; `null` for a missing one.
 * @param later ids of the rules that the outermost frame runs later
 */
export function addPartial(partial: string, later: string[]): void {
  const { analyser } = globalThis as unknown as AnalyserGlobals;
  const whole = JSON.parse(partial) as PartialResult | null;
  const part = (isLater: boolean) => whole && { ...whole, results: whole.results.filter(({ id }) => later.includes(id) === isLater) };
  analyser.partials.push(part(false));
  analyser.laterPartials.push(part(true));
}

/**
 * Adds results of inner frames for rules that the outermost frame has run later.
 * @param ids of the rules of the later run
 */
export function addLaterPartials(ids: string[]): void {
  const { analyser } = globalThis as unknown as AnalyserGlobals;
  const [own] = analyser.partials;
  const inner = analyser.laterPartials.map((each) => each && { ...each, results: each.results.filter(({ id }) => ids.includes(id)) });
  analyser.partials = [own ? { ...own, frames: analyser.frameSpecs } : null, ...inner];
}

/**
 * Outermost frame only: replaces an inner frame's results for rules that run later, after they have run in that frame once more.
 * @param place of the frame in the order of `addPartial`
 */
export function replaceLaterPartial(partial: string, place: number, ids: string[]): void {
  const { analyser } = globalThis as unknown as AnalyserGlobals;
  const again = JSON.parse(partial) as PartialResult | null;
  const known = analyser.laterPartials[place];
  if (!again || !known) return;
  const others = known.results.filter(({ id }) => !ids.includes(id));
  analyser.laterPartials[place] = { ...known, results: [...others, ...again.results.filter(({ id }) => ids.includes(id))] };
}

/** Outermost frame only: makes one report of all results, as JSON text. */
export async function finishReport(options: AxeOptions): Promise<string> {
  const { axe, analyser } = globalThis as unknown as AnalyserGlobals;
  // Frames are not examined in runs limited to parts.
  if (analyser.parts) analyser.partials = analyser.partials.slice(0, 1).map((own) => own && { ...own, frames: [] });
  else analyser.frameSpecs = analyser.partials[0]?.frames ?? [];
  return JSON.stringify(await axe.finishRun(analyser.partials, options));
}
