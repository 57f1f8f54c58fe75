import type { AxeOptions } from "./axe-options";
import type { Category, CheckOutcome, ElementResult, FindingResult, Impact } from "~/scan/types";
import type {
  Axe,
  CheckReport,
  DqElement,
  FrameContext,
  NodeReport,
  NodeSpec,
  PartialResult,
  RawNode,
  RawRule,
  Rule,
  RuleReport,
  RunContext,
} from "./axe-internals";
import type { PausingGlobals } from "~/scan/page/pause";
import type { ElementContextGlobals } from "./element-context";
import type { OpeningGlobals } from "~/scan/interaction/opening-log";
import type { RepeatedGlobals } from "./rampe/repeated";

/*
 * These functions run inside a page, in an isolated world with axe-core loaded (see `isolated-world.ts`). They are sent
 * as source text: none may use anything outside itself except types.
 */

/** State of the analyser between two calls into the same frame. */
export interface AnalyserGlobals {
  axe: Axe;
  analyser: {
    /** Results of finished rules. After an interrupted run, a new run reuses them. */
    finished: Map<string, RawRule>;
    /** Descriptions of elements in results, by element: several rules may find the same one. */
    specs: WeakMap<Element, Pick<NodeSpec, "selector" | "source" | "elementContext" | "mark">>;
    /** Elements in results. */
    marked: Element[];
    /** Violations of the reports: for the listed elements of each rule, their indexes in `marked`. */
    shown: (number | undefined)[][];
    /** Elements whose contrast axe-core cannot tell, in the order of the latest report: their indexes in `marked`. */
    openContrasts: (number | undefined)[];
    /** Rules that were stopped or had no time left. */
    unfinished: Set<string>;
    running: string | undefined;
    /** A run has not yet reached its first rule. */
    preparing: boolean;
    /** axe's order of rules. */
    order: string[];
    /** Latest run's. */
    context: RunContext | undefined;
    /** Parts of the document to which runs are limited; undefined for the whole. */
    parts: Element[] | undefined;
    /** Autoplaying audio and video have had their time to load. */
    mediaAwaited: boolean;
    /** The elements that hold inner frames. */
    frames: (Element | null)[];
    /** For each of them, the element as data, and the context to analyse inside. */
    inner: { spec: NodeSpec; context: FrameContext }[];
    /** Results of this frame and its inner frames, until the report is made. */
    partials: (PartialResult | null)[];
    /** Of inner frames: results of the rules that the outermost frame runs later. */
    laterPartials: (PartialResult | null)[];
    /** The frames in the results of the outermost frame, as of the first run. */
    frameSpecs: PartialResult["frames"];
  };
}

export interface Report {
  findings: Record<Category, FindingResult[]>;
  /** Index of its first violated rule among those of all reports in this document. */
  firstShown: number;
}

/** Limits for the data that a page may produce. */
export interface ReportLimits {
  htmlBytes: number;
  elementsPerFinding: number;
  /** For all elements together; the rest are counted, but not listed. */
  reportCharacters: number;
  /** For each part of a selector; a cut part ends with an ellipsis. */
  selectorCharacters: number;
  dataCharacters: number;
  messageCharacters: number;
}

/** Makes axe's rules stoppable and its report small. Call it once per frame, first. */
export function prepareAnalyser(reporter: string, limits: ReportLimits): void {
  const isolatedWorld = globalThis as unknown as AnalyserGlobals & ElementContextGlobals & RepeatedGlobals;
  const { axe, contextOf } = isolatedWorld;
  const analyser: AnalyserGlobals["analyser"] = {
    finished: new Map(),
    specs: new WeakMap(),
    marked: [],
    shown: [],
    openContrasts: [],
    unfinished: new Set(),
    running: undefined,
    preparing: false,
    order: axe._audit.rules.map(({ id }) => id),
    context: undefined,
    parts: undefined,
    mediaAwaited: false,
    frames: [],
    inner: [],
    partials: [],
    laterPartials: [],
    frameSpecs: [],
  };
  isolatedWorld.analyser = analyser;
  let carried = 0;

  for (const rule of axe._audit.rules) stoppable(rule);
  // The slowest rules run last, so that they are the ones dropped when time runs out. They keep their order among each
  // other: each reuses facts about fonts, colours and slots from the one before.
  const slow = [
    ...["color-contrast", "color-contrast-enhanced", "label-content-name-mismatch", "link-in-text-block"],
    "target-size",
  ];
  const { rules } = axe._audit;
  rules.sort((a, b) => Number(slow.includes(a.id)) - Number(slow.includes(b.id)));
  // Otherwise it would run last, waiting for preloads that do not exist.
  for (const rule of rules) rule.preload = false;
  // Otherwise axe in a frame would answer messages of any sender, even of the page's own axe.
  axe.frameMessenger({ open: () => {}, post: () => false });
  // Otherwise markup is made for every tested element, passed ones too; `toSpec` makes it for listed ones.
  axe.configure({ noHtml: true });
  // By default every element also gets its XPath and full ancestry. Only three best-practice rules use them
  // (`frame-tested`, `heading-order`, `region`), which belong to no standard.
  axe.utils.nodeSerializer.update({ toSpec: specOf });
  axe.addReporter(reporter, (rules, _options, done) => done(report(rules)));

  /**
   * axe returns results through timers, after all rules. Here each result is kept as soon as it exists. No check of axe
   * is asynchronous, so running a rule synchronously gives the same result.
   */
  function stoppable(rule: Rule) {
    rule.run = (context, options, resolve, reject) => {
      const known = analyser.finished.get(rule.id);
      if (known) return resolve(known);
      // axe skips null results.
      if (analyser.unfinished.has(rule.id)) return resolve(null as unknown as RawRule);
      if (analyser.context !== context) begin(context);
      analyser.running = rule.id;
      reportStart(isFollowed(rule, context, options) ? "one of several" : "the last");
      try {
        // Elements are stored as data, so the result is usable even if the run is stopped.
        const raw = withoutUnread(rule, rule.runSync(context, options));
        const [result] = axe.utils.nodeSerializer.mapRawResults([raw]);
        analyser.finished.set(rule.id, result as RawRule);
        resolve(result as RawRule);
      } catch (error) {
        // A fault in a rule of our own must not look like a result.
        if (!isOwn(rule.id)) return reject(error);
        analyser.unfinished.add(rule.id);
        resolve(null as unknown as RawRule);
      } finally {
        analyser.running = undefined;
      }
    };
  }

  function isOwn(ruleId: string): boolean {
    return ruleId.startsWith("rampe-");
  }

  function begin(context: RunContext) {
    analyser.preparing = false;
    analyser.context = context;
    analyser.frames = context.frames.map(({ node }) => node);
    analyser.inner = context.frames.map(({ node, ...inside }) => ({
      spec: axe.utils.nodeSerializer.toSpec(node),
      context: { ...inside, initiator: false },
    }));
  }

  function isFollowed(rule: Rule, context: RunContext, options: AxeOptions): boolean {
    const { rules } = axe._audit;
    const toCome = rules.slice(rules.indexOf(rule) + 1);
    return toCome.some(
      (each) =>
        !analyser.finished.has(each.id) &&
        !analyser.unfinished.has(each.id) &&
        axe.utils.ruleShouldRun(each, context, options),
    );
  }

  /** Notifies us outside at once, even if the rule then blocks the page for long (see `rule-watch.ts`). */
  function reportStart(which: "one of several" | "the last") {
    (globalThis as { rampeRuleBegins?: (which: string) => void }).rampeRuleBegins?.(which);
  }

  function specOf(element: DqElement): NodeSpec {
    const { nodeIndexes, fromFrame } = element;
    let spec = analyser.specs.get(element.element);
    if (!spec) {
      spec = {
        selector: element.selector,
        source: axe.utils.getElementSource(element.element),
        elementContext: contextOf(element.element),
        mark: analyser.marked.push(element.element) - 1,
      };
      analyser.specs.set(element.element, spec);
    }
    return { ...spec, nodeIndexes, fromFrame, xpath: [], ancestry: [] };
  }

  /**
   * Removes from a result what the report does not contain: passed elements, related elements, and selectors of elements
   * above a finding's list limit. Computing these may take longer than the rule did. Rules judged again with the results
   * of all frames, or as a whole, stay unchanged.
   */
  function withoutUnread(rule: Rule, result: RawRule): RawRule {
    const checks = [...rule.any, ...rule.all, ...rule.none].map((check) =>
      typeof check === "string" ? check : check.id,
    );
    if (rule.pageLevel || checks.some((id) => axe._audit.checks[id]?.after)) return result;
    const nodes: RawNode[] = [];
    const listed = { cantTell: 0, failed: 0 };
    let passed: (RawNode & { elements: number }) | undefined;
    for (const node of result.nodes) {
      const judged = outcomeOf(node);
      if (judged === "passed") {
        if (!passed) nodes.push((passed = passedLike(node)));
        passed.elements += 1;
        continue;
      }
      nodes.push(node);
      for (const check of [...node.any, ...node.all, ...node.none]) check.relatedNodes = [];
      if (judged === undefined) continue;
      listed[judged] += 1;
      if (listed[judged] > limits.elementsPerFinding) node.node = nameless(node.node);
    }
    result.nodes = nodes;
    return result;
  }

  /** Like axe's `aggregateChecks`: the outcome of a node's checks; undefined when it has none. */
  function outcomeOf({ any, all, none }: RawNode): "passed" | "cantTell" | "failed" | undefined {
    const grade = (result: unknown) => (result === true ? 1 : result === false ? 3 : 2);
    const worst = Math.max(
      0,
      ...all.map(({ result }) => grade(result)),
      ...none.map(({ result }) => 4 - grade(result)),
      any.length === 0 ? 0 : Math.min(...any.map(({ result }) => grade(result))),
    );
    return ([undefined, "passed", "cantTell", "failed"] as const)[worst];
  }

  function passedLike({ node }: RawNode): RawNode & { elements: number } {
    const check = { id: "passed", data: null, relatedNodes: [], result: true };
    return { node: nameless(node), any: [check], all: [], none: [], elements: 0 };
  }

  /** Keeps only an element's position, which is by number. */
  function nameless({ nodeIndexes }: NodeSpec): NodeSpec {
    return { selector: [], source: null, xpath: [], ancestry: [], nodeIndexes, fromFrame: false };
  }

  function report(rules: RawRule[]): Report {
    const position = ({ id }: RawRule) => analyser.order.indexOf(id);
    const inOrder = [...rules].sort((a, b) => position(a) - position(b));
    const { passes, inapplicable, ...decided } = axe.utils.aggregateResult(inOrder);
    const { withoutRepeated = (rules: RuleReport[]) => rules } = isolatedWorld;
    const violations = withoutRepeated(decided.violations, []);
    const incomplete = withoutRepeated(decided.incomplete, decided.violations);
    const firstShown = analyser.shown.length;
    analyser.shown.push(...violations.map(({ nodes }) => nodes.slice(0, limits.elementsPerFinding).map(markOf)));
    analyser.openContrasts = incomplete.find(({ id }) => id === "color-contrast")?.nodes.map(markOf) ?? [];
    return {
      firstShown,
      findings: {
        violations: violations.map(inFull),
        incomplete: incomplete.map(inFull),
        passes: passes.map(inShort),
        inapplicable: inapplicable.map(inShort),
      },
    };
  }

  /** Elements of inner frames have none here. */
  function markOf({ node }: NodeReport): number | undefined {
    return node.fromFrame ? undefined : node.mark;
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
    const elementCount = nodes.reduce((sum, { elements = 1 }) => sum + elements, 0);
    return { ruleId: id, source: isOwn(id) ? "rampe" : "axe", impact: null, ...texts, elementCount, elements: [] };
  }

  function element({ node, impact, any, all, none }: NodeReport): ElementResult {
    const source = node.source ?? "";
    const { read } = new TextEncoder().encodeInto(source, new Uint8Array(limits.htmlBytes));
    return {
      target: node.selector.map(short),
      html: source.slice(0, read),
      htmlCut: read < source.length,
      impact: impact as Impact | null,
      checks: [
        ...any.map((check) => outcome("any", check)),
        ...all.map((check) => outcome("all", check)),
        ...none.map((check) => outcome("none", check)),
      ],
      ...(node.elementContext && { context: node.elementContext }),
    };
  }

  function short(selector: string | string[]): string | string[] {
    if (typeof selector !== "string") return selector.map((part) => short(part) as string);
    const { selectorCharacters: most } = limits;
    return selector.length <= most ? selector : `${selector.slice(0, most - 1)}…`;
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
      if (shadowRoot) here.push(...autoplaying(shadowRoot));
    return here;
  }

  function isLoading(media: HTMLMediaElement): boolean {
    return media.readyState === 0 && media.networkState === media.NETWORK_LOADING;
  }
}

/**
 * After an interrupted run: the running rule moves to the end; if it is stopped again there, it is given up. Returns what
 * was interrupted: "nothing" when the run had not even started.
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

/** After the last interrupted run: uses the finished rules only. Returns the same as `runRules`. */
export function takeFinished(options: AxeOptions, hasFrames: boolean): FrameContext[] {
  const { axe, analyser } = globalThis as unknown as AnalyserGlobals;
  const { context, finished, unfinished, inner } = analyser;
  if (!context) return [];
  const asked = axe._audit.rules.filter((rule) => axe.utils.ruleShouldRun(rule, context, options));
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

/** Prepares another run of the same rules: on the parts that have appeared alone, or on the whole document again. */
export function beginAgain(isInParts: boolean): void {
  const { analyser, rampeOpenings } = globalThis as unknown as AnalyserGlobals & OpeningGlobals;
  analyser.parts = isInParts ? (rampeOpenings?.appeared.filter(({ isConnected }) => isConnected) ?? []) : undefined;
  analyser.finished = new Map();
  analyser.unfinished = new Set();
  analyser.context = undefined;
}

/** The frame element at this index in the result of `runRules`. */
export function frameElement(index: number): Element | null {
  return (globalThis as unknown as AnalyserGlobals).analyser.frames[index] ?? null;
}

/** In an inner frame: this frame's result, for transfer to the outermost one. */
export function takePartial(): string {
  return JSON.stringify((globalThis as unknown as AnalyserGlobals).analyser.partials[0] ?? null);
}

/**
 * In the outermost frame: adds an inner frame's result, in tree order; `null` for a missing one.
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
 * After a later run in the outermost frame: adds what the first one found by these rules in inner frames.
 * @param ids of the rules of the later run
 */
export function addLaterPartials(ids: string[]): void {
  const { analyser } = globalThis as unknown as AnalyserGlobals;
  const [own] = analyser.partials;
  const inner = analyser.laterPartials.map((each) => each && { ...each, results: each.results.filter(({ id }) => ids.includes(id)) });
  analyser.partials = [own ? { ...own, frames: analyser.frameSpecs } : null, ...inner];
}

/** In the outermost frame: makes one report of all results, as JSON text. */
export async function finishReport(options: AxeOptions): Promise<string> {
  const { axe, analyser } = globalThis as unknown as AnalyserGlobals;
  // Frames inside of parts are not looked into.
  if (analyser.parts) analyser.partials = analyser.partials.slice(0, 1).map((own) => own && { ...own, frames: [] });
  else analyser.frameSpecs = analyser.partials[0]?.frames ?? [];
  return JSON.stringify(await axe.finishRun(analyser.partials, options));
}
