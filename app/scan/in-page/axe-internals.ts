import type { AxeOptions } from "~/scan/axe-options";

/**
 * The parts of axe-core that the analyser uses inside a page, as they are in the release that package.json pins. Those
 * that begin with an underscore are not public: look at them again with every update.
 */
export interface Axe {
  _audit: { rules: Rule[] };
  _running: boolean;
  teardown(): void;
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
    getFrameContexts(context: FrameContext): { frameSelector: unknown; frameContext: FrameContext }[];
    shadowSelect(selector: unknown): Element | null;
    nodeSerializer: { update(serializer: { toSpec(element: DqElement): NodeSpec }): void };
  };
}

export interface Rule {
  id: string;
  run(
    context: unknown,
    options: unknown,
    resolve: (result: RawRule) => void,
    reject: (error: unknown) => void,
  ): void;
  runSync(context: unknown, options: unknown): RawRule;
}

/** What is analysed in one frame. */
export interface FrameContext {
  include?: unknown[];
  exclude: unknown[];
  initiator?: boolean;
}

export interface PartialResult {
  frames: unknown[];
}

/** A rule's result as axe passes it around; opaque here. */
export interface RawRule {
  id: string;
}

/** An element, with everything about it worked out when it is asked for. */
export interface DqElement extends NodeSpec {
  toJSON(): NodeSpec;
}

/** An element as data. */
export interface NodeSpec {
  selector: (string | string[])[];
  source: string | null;
  xpath: string[];
  ancestry: string[];
  nodeIndexes: number[];
  fromFrame: boolean;
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
