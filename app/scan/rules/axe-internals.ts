import type { AxeOptions } from "./axe-options";
import type { ElementContext } from "~/scan/types";

/**
 * The parts of axe-core that the analyser uses inside a page, as in the release pinned in package.json. Names with an
 * underscore are not public: check them again with every update.
 */
export interface Axe {
  /** Trees of the run; the tree of the document comes first. */
  _tree: VirtualNode[] | undefined;
  _audit: {
    rules: Rule[];
    checks: Record<string, { after?: unknown } | undefined>;
    data: { checks: Record<string, { messages?: { fail?: unknown; incomplete?: unknown } } | undefined> };
  };
  _running: boolean;
  VirtualNode: { prototype: VirtualNode };
  /** Builds the trees of a document. @throws if trees already exist */
  setup(node: Document): unknown;
  teardown(): void;
  configure(spec: { rules?: RuleSpec[]; checks?: CheckSpec[]; noHtml?: boolean }): void;
  frameMessenger(messenger: { open(): void; post(): boolean }): void;
  addReporter(
    name: string,
    reporter: (rules: RawRule[], options: unknown, done: (report: unknown) => void) => void,
  ): void;
  runPartial(context: FrameContext, options: AxeOptions): Promise<PartialResult>;
  finishRun(partials: (PartialResult | null)[], options: AxeOptions): Promise<unknown>;
  utils: {
    aggregateResult(
      rules: RawRule[],
    ): Record<"violations" | "incomplete" | "passes" | "inapplicable", RuleReport[]>;
    ruleShouldRun(rule: Rule, context: RunContext, options: AxeOptions): boolean;
    getNodeFromTree(node: Node): VirtualNode | null | undefined;
    querySelectorAll(root: VirtualNode, selector: string): VirtualNode[];
    getElementSource(element: Element): string;
    /** @param message text, or texts by `messageKey` */
    processMessage(message: unknown, data: unknown): string;
    nodeSerializer: {
      update(serializer: { toSpec(element: DqElement): NodeSpec }): void;
      /** Converts an element to data. */
      toSpec(element: Element): NodeSpec;
      /** Converts the elements in results to data. */
      mapRawResults(results: RawRule[]): RawRule[];
    };
  };
  commons: {
    color: {
      /** Channels from 0 to 255. */
      Color: new (red: number, green: number, blue: number) => AxeColor;
      /** Null if styles do not define it. */
      getBackgroundColor(element: Element): AxeColor | null;
      elementHasImage(element: Element, style: CSSStyleDeclaration): boolean;
      getOwnBackgroundColor(style: CSSStyleDeclaration): AxeColor;
      flattenColors(foreground: AxeColor, background: AxeColor): AxeColor;
      getContrast(background: AxeColor, foreground: AxeColor): number | null;
    };
    aria: {
      getExplicitRole(node: Element): string | null;
      getRole(node: VirtualNode, options?: { noPresentational?: boolean }): string | null;
      getRoleType(node: VirtualNode | Element): string | null;
    };
    dom: {
      getComposedParent(node: Element): Element | null;
      /** Elements at the centre of an element, the topmost first. */
      getElementStack(node: Element): Element[];
      isFocusable(node: VirtualNode): boolean;
      isInTabOrder(node: VirtualNode): boolean;
      isVisibleOnScreen(node: Element): boolean;
      isVisibleToScreenReaders(node: Element): boolean;
    };
    text: {
      accessibleTextVirtual(node: VirtualNode): string;
      sanitize(text: string | null | undefined): string;
    };
  };
}

export interface AxeColor {
  /** Opacity from 0 to 1. */
  alpha: number;
  /** Reads a CSS colour. @throws for other texts */
  parseString(color: string): void;
  getRelativeLuminance(): number;
}

/** A new rule, or changes of a known one. */
export interface RuleSpec {
  id: string;
  matches: Matcher;
  selector?: string;
  excludeHidden?: boolean;
  tags?: string[];
  any?: string[];
  metadata?: { help: string; description: string; helpUrl: string };
}

export interface CheckSpec {
  id: string;
  metadata: { impact: string; messages: object };
  /** True: passed; false: failed; undefined: a person has to decide. */
  evaluate(this: { data(value: unknown): void }, element: Element, options: unknown, node: VirtualNode): boolean | undefined;
}

/** Does a rule apply to an element? */
export type Matcher = (element: Element, node: VirtualNode) => boolean;

/** A node of the tree that a run analyses: the composed document without comments and slots. */
export interface VirtualNode {
  actualNode: Node;
  children: VirtualNode[];
  parent: VirtualNode | null | undefined;
  /** Position in tree order. */
  nodeIndex: number;
  props: { nodeName: string };
  /** Cached facts about the element. */
  _cache: Record<string, unknown>;
  /** Value, cached during the run. */
  getComputedStylePropertyValue(property: string): string;
}

export interface Rule {
  id: string;
  pageLevel: boolean;
  preload: boolean;
  any: CheckReference[];
  all: CheckReference[];
  none: CheckReference[];
  matches: Matcher;
  run(
    context: RunContext,
    options: AxeOptions,
    resolve: (result: RawRule) => void,
    reject: (error: unknown) => void,
  ): void;
  runSync(context: RunContext, options: AxeOptions): RawRule;
}

/** The scope of analysis in one frame. */
export interface FrameContext {
  include?: unknown[];
  exclude: unknown[];
  initiator?: boolean;
}

/** Context of a run in one frame. */
export interface RunContext {
  /** The inner frames, each with its scope of analysis. */
  frames: (FrameContext & { node: Element })[];
  /** A whole document is examined. */
  page?: boolean;
}

export interface PartialResult {
  results: RawRule[];
  frames: NodeSpec[];
}

/** A check's id, or a check with options. */
type CheckReference = string | { id: string };

/** A rule's result in one frame, before all frames' results are combined and judged. */
export interface RawRule {
  id: string;
  nodes: RawNode[];
}

export interface RawNode {
  node: DqElement | NodeSpec;
  any: RawCheck[];
  all: RawCheck[];
  none: RawCheck[];
  /** Our addition: number of passed elements that the result represents. */
  elements?: number;
}

interface RawCheck {
  id: string;
  data: unknown;
  relatedNodes: (DqElement | NodeSpec)[];
  result: unknown;
}

/** An element; its selector is computed at each access. */
export interface DqElement extends NodeSpec {
  element: Element;
}

/** An element as data. */
export interface NodeSpec {
  selector: (string | string[])[];
  source: string | null;
  xpath: string[];
  ancestry: string[];
  nodeIndexes: number[];
  fromFrame: boolean;
  /** Our addition: the place of the element, in words. */
  elementContext?: ElementContext;
  /** Our addition: index among the elements kept by its frame's analyser. */
  mark?: number;
}

export interface RuleReport {
  id: string;
  impact: string | null;
  tags: string[];
  help: string;
  description: string;
  helpUrl: string;
  nodes: NodeReport[];
}

export interface NodeReport {
  node: NodeSpec;
  elements?: number;
  impact: string | null;
  any: CheckReport[];
  all: CheckReport[];
  none: CheckReport[];
}

export interface CheckReport {
  id: string;
  data: unknown;
  message: string;
}
