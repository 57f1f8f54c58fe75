import type { AxeOptions } from "~/scan/axe-options";
import type { Category, CheckOutcome, ElementResult, FindingResult, Impact } from "~/scan/types";
import type {
  Axe,
  CheckReport,
  FrameContext,
  NodeReport,
  PartialResult,
  RawRule,
  Rule,
  RuleReport,
} from "./axe-internals";

/*
 * These functions run inside a page, in a world of our own where axe-core has been loaded (see `world.ts`). They are
 * sent as source text: none may use anything outside itself but types.
 */

/** What the analyser keeps between two calls into the same frame. */
export interface AnalyserWorld {
  axe: Axe;
  analyser: {
    /** Results of the rules that are through. A run that was cut off begins again, and takes these as they are. */
    finished: Map<string, RawRule>;
    /** Rules that were stopped, or for which no time was left. */
    unfinished: Set<string>;
    running: { rule: string; since: number } | undefined;
    /** No rule may begin any more. */
    closing: boolean;
    /** Sound and films that play by themselves have had their time to load. */
    mediaAwaited: boolean;
    frames: (Element | null)[];
    /** The result of this frame, and of those inside it, until they are made into a report. */
    partials: (PartialResult | null)[];
  };
}

export interface Report {
  findings: Record<Category, FindingResult[]>;
}

/** Caps for what a page may make us carry away. */
export interface ReportLimits {
  htmlBytes: number;
  elementsPerFinding: number;
  /** Of all elements together; the rest are counted, but not listed. */
  reportCharacters: number;
  dataCharacters: number;
  messageCharacters: number;
}

/** Makes axe's rules stoppable and its report small. Once per frame, before anything else. */
export function prepareAnalyser(reporter: string, limits: ReportLimits): void {
  const world = globalThis as unknown as AnalyserWorld;
  const { axe } = world;
  const analyser: AnalyserWorld["analyser"] = {
    finished: new Map(),
    unfinished: new Set(),
    running: undefined,
    closing: false,
    mediaAwaited: false,
    frames: [],
    partials: [],
  };
  world.analyser = analyser;
  let carried = 0;

  for (const rule of axe._audit.rules) stoppable(rule);
  // By default every element, passed ones too, also gets its XPath and its full ancestry. Only three best-practice
  // rules read them (`frame-tested`, `heading-order`, `region`), which belong to no standard.
  axe.utils.nodeSerializer.update({
    toSpec: ({ selector, source, nodeIndexes, fromFrame }) => ({
      selector,
      source,
      nodeIndexes,
      fromFrame,
      xpath: [],
      ancestry: [],
    }),
  });
  axe.addReporter(reporter, (rules, _options, done) => done(report(rules)));

  /**
   * axe hands over results by timers, when all rules are through. Here each is kept as soon as it stands. No check of
   * axe is asynchronous, so running a rule in one go gives the same result.
   */
  function stoppable(rule: Rule) {
    rule.run = (context, options, resolve, reject) => {
      const known = analyser.finished.get(rule.id);
      if (known) return resolve(known);
      // axe leaves out what is null.
      if (analyser.unfinished.has(rule.id)) return resolve(null as unknown as RawRule);
      if (analyser.closing) {
        analyser.unfinished.add(rule.id);
        return resolve(null as unknown as RawRule);
      }
      analyser.running = { rule: rule.id, since: performance.now() };
      try {
        const result = rule.runSync(context, options);
        analyser.finished.set(rule.id, result);
        resolve(result);
      } catch (error) {
        reject(error);
      }
      analyser.running = undefined;
    };
  }

  function report(rules: RawRule[]): Report {
    const { violations, incomplete, passes, inapplicable } = axe.utils.aggregateResult(rules);
    return {
      findings: {
        violations: violations.map(inFull),
        incomplete: incomplete.map(inFull),
        passes: passes.map(inShort),
        inapplicable: inapplicable.map(inShort),
      },
    };
  }

  function inFull(rule: RuleReport): FindingResult {
    const elements: ElementResult[] = [];
    for (const node of rule.nodes) {
      if (elements.length === limits.elementsPerFinding || carried > limits.reportCharacters) break;
      const listed = element(node);
      carried += JSON.stringify(listed).length;
      elements.push(listed);
    }
    return { ...inShort(rule), impact: rule.impact as Impact | null, elements };
  }

  function inShort({ id, tags, help, description, helpUrl, nodes }: RuleReport): FindingResult {
    const texts = { tags, help, description, helpUrl };
    return { ruleId: id, source: "axe", impact: null, ...texts, elementCount: nodes.length, elements: [] };
  }

  function element({ node, impact, any, all, none }: NodeReport): ElementResult {
    const source = node.source ?? "";
    const { read } = new TextEncoder().encodeInto(source, new Uint8Array(limits.htmlBytes));
    return {
      target: node.selector,
      html: source.slice(0, read),
      htmlCut: read < source.length,
      impact: impact as Impact | null,
      checks: [
        ...any.map((check) => outcome("any", check)),
        ...all.map((check) => outcome("all", check)),
        ...none.map((check) => outcome("none", check)),
      ],
    };
  }

  function outcome(group: CheckOutcome["group"], { id, data, message }: CheckReport): CheckOutcome {
    return {
      group,
      id,
      data: bounded(data),
      message: String(message ?? "").slice(0, limits.messageCharacters),
    };
  }

  function bounded(data: unknown): unknown {
    try {
      const text = JSON.stringify(data) ?? "null";
      return text.length <= limits.dataCharacters ? (JSON.parse(text) as unknown) : null;
    } catch {
      return null;
    }
  }
}

/**
 * Runs the rules on this frame's own document. After a run that was cut off it goes on with the rules left over.
 * Answers with the number of frames that axe wants to see inside, each with what is to be analysed there.
 */
export async function runRules(
  context: FrameContext,
  options: AxeOptions,
  hasFrames: boolean,
): Promise<FrameContext[]> {
  const { axe, analyser } = globalThis as unknown as AnalyserWorld;
  if (!analyser.mediaAwaited) await mediaLoaded();
  analyser.mediaAwaited = true;

  // What a run that was cut off has left half made, it must not find again.
  axe.teardown();
  axe._running = false;
  // In the same breath as the run, so that both see the same document.
  const frames = hasFrames ? axe.utils.getFrameContexts(context) : [];
  analyser.frames = frames.map(({ frameSelector }) => axe.utils.shadowSelect(frameSelector));
  analyser.partials = [await axe.runPartial(context, options)];
  return frames.map(({ frameContext }) => frameContext);

  /**
   * `no-autoplay-audio` asks how long sound lasts. axe itself waits 10 s for it, also where it has failed to load
   * already, which is why its own waiting is switched off (`axe-options.ts`).
   */
  async function mediaLoaded(): Promise<void> {
    const loading = autoplaying(document).filter(isLoading);
    for (let tries = 0; tries < 200 && loading.some(isLoading); tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  function autoplaying(root: Document | ShadowRoot): HTMLMediaElement[] {
    const here = [...root.querySelectorAll<HTMLMediaElement>("video[autoplay], audio[autoplay]")];
    for (const { shadowRoot } of root.querySelectorAll("*"))
      if (shadowRoot) here.push(...autoplaying(shadowRoot));
    return here;
  }

  function isLoading(media: HTMLMediaElement): boolean {
    return media.readyState === 0 && media.networkState === media.NETWORK_LOADING;
  }
}

/**
 * After a run was cut off: the rule that was running gives way to the others, and is given up if it had `patienceMs` for
 * itself.
 */
export function putRunningRuleAside(patienceMs: number): void {
  const { axe, analyser } = globalThis as unknown as AnalyserWorld;
  const { running } = analyser;
  if (!running) return;
  analyser.running = undefined;
  if (performance.now() - running.since >= patienceMs) analyser.unfinished.add(running.rule);
  const { rules } = axe._audit;
  rules.push(
    ...rules.splice(
      rules.findIndex(({ id }) => id === running.rule),
      1,
    ),
  );
}

/** From now on a run only gathers what is there. */
export function startNoMoreRules(): void {
  (globalThis as unknown as AnalyserWorld).analyser.closing = true;
}

export function countRules(): { finished: number; unfinished: string[] } {
  const { finished, unfinished } = (globalThis as unknown as AnalyserWorld).analyser;
  return { finished: finished.size, unfinished: [...unfinished] };
}

/** The element of the frame at this place in the answer of `runRules`. */
export function frameElement(index: number): Element | null {
  return (globalThis as unknown as AnalyserWorld).analyser.frames[index] ?? null;
}

/** In an inner frame: this frame's result, to be carried to the outermost one. */
export function takePartial(): string {
  return JSON.stringify((globalThis as unknown as AnalyserWorld).analyser.partials[0] ?? null);
}

/** In the outermost frame: adds the result of an inner one, in the order of a walk through the tree; `null` for a gap. */
export function addPartial(partial: string): void {
  const { analyser } = globalThis as unknown as AnalyserWorld;
  analyser.partials.push(JSON.parse(partial) as PartialResult | null);
}

/** In the outermost frame: makes one report of all results, as JSON text. */
export async function finishReport(options: AxeOptions): Promise<string> {
  const { axe, analyser } = globalThis as unknown as AnalyserWorld;
  return JSON.stringify(await axe.finishRun(analyser.partials, options));
}
