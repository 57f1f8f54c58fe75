import type { DomGlobals } from "~/scan/page/dom";
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
import type { ElementContextGlobals } from "./element-context";
import type { FalseAlarmGlobals } from "./rampe/false-alarms";
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
    /** Elements whose contrast axe-core cannot determine, in the order of the latest report: their indexes in `marked`. */
    openContrasts: (number | undefined)[];
    /** Rules that were stopped or had no time left. */
    unfinished: Set<string>;
    running: string | undefined;
    /** The current run has not yet reached its first rule. */
    preparing: boolean;
    /** Order of rules in axe. */
    order: string[];
    /** Context of the latest run. */
    context: RunContext | undefined;
    /** Parts of the document to which runs are limited; undefined for the whole. */
    parts: Element[] | undefined;
    /** Autoplaying audio and video have had their time to load. */
    mediaAwaited: boolean;
    /** Elements that contain inner frames. */
    frames: (Element | null)[];
    /** Data of each such element, and the context to analyse inside. */
    inner: { spec: NodeSpec; context: FrameContext }[];
    /** Results of this frame and its inner frames, until the report is made. */
    partials: (PartialResult | null)[];
    /** Results of inner frames for rules that the outermost frame runs later. */
    laterPartials: (PartialResult | null)[];
    /** The frames in the results of the outermost frame, as of the first run. */
    frameSpecs: PartialResult["frames"];
  };
}

export interface Report {
  findings: Record<Category, FindingResult[]>;
  /** Index of the report's first violated rule among those of all reports in this document. */
  firstShown: number;
}

/** Limits for the data that a page may produce. */
export interface ReportLimits {
  htmlBytes: number;
  elementsPerFinding: number;
  /** Limit for all elements together; further elements are counted, but not listed. */
  reportCharacters: number;
  /** Limit for each part of a selector; a cut part ends with an ellipsis. */
  selectorCharacters: number;
  dataCharacters: number;
  messageCharacters: number;
}

/** Makes axe's rules stoppable and its report small. Call it once per frame, first. */
export function prepareAnalyser(reporter: string, limits: ReportLimits): void {
  const isolatedWorld = globalThis as unknown as AnalyserGlobals & ElementContextGlobals & RepeatedGlobals & FalseAlarmGlobals & DomGlobals;
  const { axe, contextOf, rampeDom: dom } = isolatedWorld;
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
  // Otherwise the rule would run last, waiting for preloads that do not exist.
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
        const raw = withoutUnread(rule, withoutFalseAlarms(rule.runSync(context, options)));
        const [result] = axe.utils.nodeSerializer.mapRawResults([raw]);
        analyser.finished.set(rule.id, result as RawRule);
        resolve(result as RawRule);
      } catch (error) {
        // axe-core then reports about the whole page. An error in a rule of our own must not look like a result.
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
        source: sourceOf(element.element),
        elementContext: contextOf(element.element),
        mark: analyser.marked.push(element.element) - 1,
      };
      analyser.specs.set(element.element, spec);
    }
    return { ...spec, nodeIndexes, fromFrame, xpath: [], ancestry: [] };
  }

  /** Source text of an element. A form's controls may hide its properties. */
  function sourceOf(element: Element): string | null {
    if (!(element instanceof HTMLFormElement)) return axe.utils.getElementSource(element);
    const [source, copy, longest] = [dom.markup(element), dom.copy(element), 300];
    if (source.length <= longest) return source;
    // axe-core uses only the start tag of longer sources.
    copy.append(source);
    return axe.utils.getElementSource(copy);
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

  function withoutFalseAlarms(result: RawRule): RawRule {
    const { isFalseAlarm } = isolatedWorld;
    if (isFalseAlarm && !isOwn(result.id))
      result.nodes = result.nodes.map((node) => {
        const isPassed = outcomeOf(node) === "failed" && isFalseAlarm(result.id, (node.node as DqElement).element, node);
        return isPassed ? { ...passedLike(node), elements: 1 } : node;
      });
    return result;
  }

  /** Outcome of a node's checks, same as axe's `aggregateChecks`; undefined when it has none. */
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

  /** Keeps only the element's position, which is a number. */
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

  /** Index of the element; elements of inner frames have none here. */
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
