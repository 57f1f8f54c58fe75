export interface ReportTables {
  share: ShareTable;
  review: ReviewTable;
  criterion_review: CriterionReviewTable;
  acceptance: AcceptanceTable;
  report_cover: ReportCoverTable;
  finding_note: FindingNoteTable;
}

/** A link that gives others access to a run's report. */
interface ShareTable {
  id: string;
  /** SHA-256 of the token in the link. */
  token_hash: string;
  run_id: string;
  created_at: number;
  expires_at: number;
}

/** A manual review of an element that the engine could not judge; kept after the run is deleted. */
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
  /** Never null with `ignore`. */
  reason: string | null;
  /** The user. */
  answered_by: string;
  answered_at: number;
}

/** What an account shows on the cover of its reports. */
interface ReportCoverTable {
  owner: string;
  name: string;
  /** "#rrggbb" */
  color: string;
  logo: Uint8Array | null;
  /** Media type of `logo`. */
  logo_type: string | null;
}

/** What a person found out about a success criterion; kept after the run is deleted. */
interface CriterionReviewTable {
  owner: string;
  /** Of the run. */
  scope: "page" | "site";
  /** Of the page, without fragment; of a site, scheme and host. */
  address: string;
  /** Such as `1.4.3`. */
  criterion: string;
  verdict: "fulfilled" | "not_fulfilled" | "not_applicable" | "open";
  /** Never null with `not_fulfilled` and `open`. */
  note: string | null;
  /** The user. */
  answered_by: string;
  answered_at: number;
}

/** Violations that a person accepted; kept after the run is deleted, and after it has ended. */
export interface AcceptanceTable {
  id: string;
  owner: string;
  /** Scheme and host: of the page for an element, else of the run. */
  origin: string;
  scope: "element" | "component" | "rule";
  /** `ruleKey` in `app/findings/rules/rule-key.ts`. */
  rule: string;
  /** Path and query of the page, and `fingerprintOf` the element; only for an element. */
  path: string | null;
  fingerprint: string | null;
  /** `componentKey`; only for a component. */
  component: string | null;
  /** Beginning of the markup of one of its elements; null for a rule. */
  html: string | null;
  kind: "not_a_barrier" | "third_party" | "disproportionate_burden" | "will_be_fixed" | "other";
  /** The last day on which it holds, such as `2027-01-31`; null for `not_a_barrier`. */
  last_day: string | null;
  reason: string;
  /** The user. */
  accepted_by: string;
  accepted_at: number;
  /** The user who ended it before its last day, and when. */
  ended_by: string | null;
  ended_at: number | null;
}

/** A note of a person on a finding; kept after the run is deleted. */
interface FindingNoteTable {
  id: string;
  owner: string;
  /** Scheme and host of the page. */
  origin: string;
  /** Path and query of the page. */
  path: string;
  /** `ruleKey`. */
  rule: string;
  fingerprint: string;
  text: string;
  /** The user. */
  written_by: string;
  written_at: number;
}
