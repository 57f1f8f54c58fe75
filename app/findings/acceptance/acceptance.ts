/** Reasons to accept a violation. Two are exceptions by law: contents of third parties, and disproportionate burden. */
export const ACCEPTANCE_KINDS = ["not_a_barrier", "third_party", "disproportionate_burden", "will_be_fixed", "other"] as const;
export type AcceptanceKind = (typeof ACCEPTANCE_KINDS)[number];

/** `element`: one element on one page; `component`: all elements of a rule with similar source; `rule`: all elements of a rule on the website. */
export const ACCEPTANCE_SCOPES = ["element", "component", "rule"] as const;
export type AcceptanceScope = (typeof ACCEPTANCE_SCOPES)[number];

/** Violations that a person has accepted. */
export interface Acceptance {
  id: string;
  scope: AcceptanceScope;
  /** Key of the rule (`ruleKey`). */
  rule: string;
  ruleId: string;
  /** Address of the page; null for a component or a rule. */
  pageUrl: string | null;
  /** Beginning of the markup of an accepted element; null for a rule. */
  html: string | null;
  kind: AcceptanceKind;
  /** Last day of validity, such as `2027-01-31`; null for no end. */
  lastDay: string | null;
  reason: string;
  /** Name of the person. */
  by: string;
  /** Unix time in ms. */
  at: number;
  /** Person and time, if ended before its last day; otherwise null. */
  ended: { by: string; at: number } | null;
  /** Whether its last day is over. */
  isOver: boolean;
}

/** Whether it is valid: not ended by a person, and its last day is not over. */
export const holdsNow = ({ ended, isOver }: Pick<Acceptance, "ended" | "isOver">): boolean => ended === null && !isOver;

const EXCEPTIONS = ["third_party", "disproportionate_burden"] as const satisfies AcceptanceKind[];
export type ExceptionKind = (typeof EXCEPTIONS)[number];

/** Whether the law allows an exception for the provider. */
export const isExceptionByLaw = <One extends { kind: AcceptanceKind }>(one: One): one is One & { kind: ExceptionKind } => EXCEPTIONS.some((kind) => kind === one.kind);

/** Whether a success criterion is still violated despite the acceptance: no only if a person judged that there is no barrier. */
export const staysViolated = ({ kind }: Pick<Acceptance, "kind">): boolean => kind !== "not_a_barrier";
