import type { Generated, Kysely, Transaction } from "kysely";
import type { Category, EngineVersion, Impact, Level, Reason, Standard } from "~/scan/types";

/** Columns named `…_at`, `…_until` and `run_at` hold Unix time in ms; `…_cut` is 0 or 1. */
export interface Database {
  run: RunTable;
  page: PageTable;
  known_address: KnownAddressTable;
  rule: RuleTable;
  finding: FindingTable;
  element: ElementTable;
  job: JobTable;
}

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

/** A value as JSON text. Only the models read and write it. */
export type JsonText = string;

export type RunStatus = "queued" | "running" | "succeeded" | "failed" | "canceled";
export type PageStatus = "queued" | "running" | "succeeded" | "failed";
export type JobState = "queued" | "running" | "done" | "failed";

export interface RunTable {
  /** 128 random bits: whoever holds the id of an anonymous run may read it. */
  id: string;
  /** The user; null for an anonymous run. */
  owner: string | null;
  url: string;
  /** The host of `url` without `www.`: what statistics call a site. */
  site: string;
  scope: "page" | "site";
  standard_version: Standard["version"];
  standard_level: Level;
  status: RunStatus;
  reason: Reason | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  expires_at: number;
  engine_name: EngineVersion["name"] | null;
  engine_version: string | null;
  /** Pages with an outcome, and those that will have one as far as is known. */
  known_pages: Generated<number>;
  /** What is to be said about a whole site besides its pages; null for a single page. */
  crawl: JsonText | null;
  /** From here on: sums over the finished pages, so that lists and statistics read no other table. */
  pages: Generated<number>;
  failed_pages: Generated<number>;
  violations: Generated<number>;
  incomplete: Generated<number>;
  passes: Generated<number>;
  inapplicable: Generated<number>;
  /** Elements of violations. */
  elements: Generated<number>;
  /** Violated rules by impact. */
  critical: Generated<number>;
  serious: Generated<number>;
  moderate: Generated<number>;
  minor: Generated<number>;
}

export interface PageTable {
  id: Generated<number>;
  run_id: string;
  position: number;
  url: string;
  final_url: string | null;
  status: PageStatus;
  reason: Reason | null;
  detail: JsonText | null;
  http_status: number | null;
  title: string | null;
  lang: string | null;
  partial: JsonText | null;
  gaps: JsonText | null;
  checked_at: number | null;
  duration_ms: number | null;
}

/** The addresses that a run of a whole site has found; they go when it is over. */
export interface KnownAddressTable {
  run_id: string;
  /** From 0, in the order in which they were found. */
  position: number;
  key: string;
  url: string;
  depth: number;
  chain: number;
  source: "start" | "link" | "sitemap" | "canonical";
  state: Generated<"waiting" | "open" | "done">;
  attempts: Generated<number>;
}

/** What an engine version says about a rule, once for all findings of it. */
export interface RuleTable {
  id: Generated<number>;
  source: "axe";
  rule_id: string;
  engine_version: string;
  tags: JsonText;
  help: string;
  description: string;
  help_url: string;
}

export interface FindingTable {
  page_id: number;
  category: Category;
  /** `rule.id`, not axe-core's name of the rule. */
  rule_id: number;
  impact: Impact | null;
  /** All elements concerned, also those without a row in `element`. */
  element_count: number;
}

export interface ElementTable {
  page_id: number;
  category: Category;
  rule_id: number;
  /** From 0, in document order. */
  position: number;
  target: JsonText;
  html: string;
  html_cut: 0 | 1;
  impact: Impact | null;
  checks: JsonText;
}

export interface JobTable {
  id: string;
  queue: string;
  run_id: string;
  payload: JsonText;
  state: JobState;
  /** Attempts that failed by themselves, and the one under way. */
  attempts: Generated<number>;
  max_attempts: Generated<number>;
  /** How often the process that worked on it died or fell silent. */
  deaths: Generated<number>;
  /** Not before this time. */
  run_at: number;
  lease_until: number | null;
  heartbeat_at: number | null;
  /** Host, process, its start and the claim: only who wrote it may finish the job. */
  leased_by: string | null;
  created_at: number;
  finished_at: number | null;
  error: string | null;
}
