/** Why a violation is accepted. The law knows two of them: contents of third parties, and a disproportionate burden. */
export const ACCEPTANCE_KINDS = ["not_a_barrier", "third_party", "disproportionate_burden", "will_be_fixed", "other"] as const;
export type AcceptanceKind = (typeof ACCEPTANCE_KINDS)[number];

/** `element`: one element on one page; `component`: all elements of a rule with similar source; `rule`: all elements of a rule on the website. */
export const ACCEPTANCE_SCOPES = ["element", "component", "rule"] as const;
export type AcceptanceScope = (typeof ACCEPTANCE_SCOPES)[number];

/** Violations that a person accepted. */
export interface Acceptance {
  id: string;
  scope: AcceptanceScope;
  /** `ruleKey` of the rule. */
  rule: string;
  ruleId: string;
  /** Of the page; null for a component or a rule. */
  pageUrl: string | null;
  /** Beginning of the markup of one of its elements; null for a rule. */
  html: string | null;
  kind: AcceptanceKind;
  /** The last day on which it holds, such as `2027-01-31`; null without end. */
  lastDay: string | null;
  reason: string;
  /** Name of the person. */
  by: string;
  /** Unix time in ms. */
  at: number;
  /** Ended by a person before its last day. */
  ended: { by: string; at: number } | null;
  /** Its last day is over. */
  isOver: boolean;
}

/** Not ended by a person, and its last day is not over. */
export const holdsNow = ({ ended, isOver }: Pick<Acceptance, "ended" | "isOver">): boolean => ended === null && !isOver;

const EXCEPTIONS = ["third_party", "disproportionate_burden"] as const satisfies AcceptanceKind[];
export type ExceptionKind = (typeof EXCEPTIONS)[number];

/** May the provider except it by law? */
export const isExceptionByLaw = <One extends { kind: AcceptanceKind }>(one: One): one is One & { kind: ExceptionKind } => EXCEPTIONS.some((kind) => kind === one.kind);

/** Is a success criterion still violated where this is accepted? Only a person's judgement that there is no barrier says no. */
export const staysViolated = ({ kind }: Pick<Acceptance, "kind">): boolean => kind !== "not_a_barrier";
