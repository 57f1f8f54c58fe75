export interface ReportTables {
  share: ShareTable;
  review: ReviewTable;
  criterion_review: CriterionReviewTable;
  acceptance: AcceptanceTable;
  report_cover: ReportCoverTable;
  finding_note: FindingNoteTable;
}

/** Link that gives others access to a run's report. */
interface ShareTable {
  id: string;
  /** SHA-256 of the token in the link. */
  token_hash: string;
  run_id: string;
  created_at: number;
  expires_at: number;
}

/** Manual review of an element that the engine could not judge; kept after the run is deleted. */
interface ReviewTable {
  owner: string;
  /** Scheme and host of the page. */
  origin: string;
  /** Path and query of the page. */
  path: string;
  /** `ruleKey` in `app/findings/rules/rule-key.ts`. */
  rule: string;
  /** `fingerprintOf` in `app/findings/fingerprint.server.ts`. */
  fingerprint: string;
  answer: "problem" | "no_problem" | "ignore";
  /** Reason of the answer, never null with `ignore`. */
  reason: string | null;
  /** Id of the user. */
  answered_by: string;
  answered_at: number;
}

/** Cover of an account's reports. */
interface ReportCoverTable {
  owner: string;
  name: string;
  /** Colour as "#rrggbb". */
  color: string;
  logo: Uint8Array | null;
  /** Media type of `logo`. */
  logo_type: string | null;
}

/** Review of a success criterion by a person; kept after the run is deleted. */
interface CriterionReviewTable {
  owner: string;
  /** Scope of the run. */
  scope: "page" | "site";
  /** Address of the page without fragment; for a site, scheme and host. */
  address: string;
  /** Number of the success criterion, such as `1.4.3`. */
  criterion: string;
  verdict: "fulfilled" | "not_fulfilled" | "not_applicable" | "open";
  /** Note, never null with `not_fulfilled` and `open`. */
  note: string | null;
  /** Id of the user. */
  answered_by: string;
  answered_at: number;
}

/** Violations accepted by a person; kept after the run is deleted, and after its own end. */
export interface AcceptanceTable {
  id: string;
  owner: string;
  /** Scheme and host: of the page for an element, otherwise of the run. */
  origin: string;
  scope: "element" | "component" | "rule";
  /** `ruleKey` in `app/findings/rules/rule-key.ts`. */
  rule: string;
  /** Path and query of the page, and `fingerprintOf` the element; null for other scopes. */
  path: string | null;
  fingerprint: string | null;
  /** `componentKey`; null for other scopes. */
  component: string | null;
  /** Beginning of the markup of one of its elements; null for a rule. */
  html: string | null;
  kind: "not_a_barrier" | "third_party" | "disproportionate_burden" | "will_be_fixed" | "other";
  /** Last valid day, such as `2027-01-31`; null for `not_a_barrier`. */
  last_day: string | null;
  reason: string;
  /** Id of the user. */
  accepted_by: string;
  accepted_at: number;
  /** User who ended it before its last day, and the time. */
  ended_by: string | null;
  ended_at: number | null;
}

/** Note of a person on a finding; kept after the run is deleted. */
interface FindingNoteTable {
  id: string;
  owner: string;
  /** Scheme and host of the page. */
  origin: string;
  /** Path and query of the page. */
  path: string;
  /** `ruleKey` in `app/findings/rules/rule-key.ts`. */
  rule: string;
  fingerprint: string;
  text: string;
  /** Id of the user. */
  written_by: string;
  written_at: number;
}
