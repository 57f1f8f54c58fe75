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
  user: UserTable;
  session: SessionTable;
  account_link: AccountLinkTable;
  mail: MailTable;
  customer: CustomerTable;
  purchase: PurchaseTable;
  registered_url: RegisteredUrlTable;
  checkout_order: CheckoutOrderTable;
  billing_event: BillingEventTable;
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

export interface UserTable {
  /** 128 random bits. */
  id: string;
  /** What the hosted identity provider calls them (`sub`); null for an account of this installation. */
  subject: string | null;
  email: string;
  /** `email` in the form in which addresses are compared. */
  email_key: string;
  email_verified: Generated<0 | 1>;
  name: string;
  /** Scrypt's parameters, salt and hash; null where the provider keeps it. */
  password: string | null;
  locale: "de" | "en";
  created_at: number;
}

export interface SessionTable {
  /** SHA-256 of what the cookie holds: who reads the database cannot be anybody. */
  id_hash: string;
  /** Null before sign-in, when there is something to be kept for a moment. */
  user_id: string | null;
  /** The provider's tokens, encrypted. */
  tokens: string | null;
  /** A message for the next page. */
  flash: JsonText | null;
  /** A form that met an expired session, encrypted. */
  kept: string | null;
  /** Browser and system as people call them. */
  browser: string | null;
  created_at: number;
  seen_at: number;
  expires_at: number;
}

/** A link that was sent by mail; whoever opens it has that address. */
export interface AccountLinkTable {
  /** SHA-256 of what the link holds. */
  token_hash: string;
  user_id: string;
  purpose: "verify" | "change_email" | "reset_password";
  /** Where it was sent to. */
  email: string;
  expires_at: number;
}

/** Mails that are still to be sent; with that they go. */
export interface MailTable {
  id: string;
  /** Recipient, subject and text, encrypted: there may be links in it that open an account. */
  sealed: string;
  attempts: Generated<number>;
  /** Not before this time; while it is being sent, the time at which it would be sent again. */
  run_at: number;
  created_at: number;
  given_up_at: number | null;
  error: string | null;
}

export interface CustomerTable {
  user_id: string;
  /** The payment provider's id. */
  customer_id: string | null;
  /** How many the provider knows, when it is more than one. */
  several: Generated<number>;
  /** When purchases were last compared with the provider's. */
  reconciled_at: number | null;
}

/** A subscription or a one-time payment, as the provider last told it. Amounts are in cents. */
export interface PurchaseTable {
  /** The provider's. */
  id: string;
  user_id: string;
  kind: "subscription" | "payment";
  status: string;
  /** Whether it gives access, by the rules in `app/billing/access.ts`. */
  grants: 0 | 1;
  plan_name: string;
  url_limit: number;
  amount: number;
  currency: string;
  created_at: number;
  period_start: number | null;
  period_end: number | null;
  cancel_at_period_end: Generated<0 | 1>;
  by_invoice: Generated<0 | 1>;
  paused: Generated<0 | 1>;
  refunded: "no" | "partly" | "fully" | null;
  disputed: Generated<0 | 1>;
  /** Grows with each change of its URLs; what the provider has been told of them. */
  urls_version: Generated<number>;
  urls_written: Generated<number>;
}

/** A URL that a purchase covers, with all others of its origin. */
export interface RegisteredUrlTable {
  id: Generated<number>;
  purchase_id: string;
  /** Scheme and host. */
  origin: string;
  /** As it was registered. */
  url: string;
  added_at: number;
  removed_at: number | null;
}

/** A form that led, or is to lead, to the provider's checkout. */
export interface CheckoutOrderTable {
  /** Made with the form: sent twice, it is one order. */
  id: string;
  user_id: string;
  price_id: string;
  url: string | null;
  checkout_id: string | null;
  /** Its URL has been registered. */
  fulfilled_at: number | null;
  created_at: number;
}

/** An event of the provider, and what became of it. */
export interface BillingEventTable {
  id: string;
  type: string;
  customer_id: string | null;
  created_at: number;
  received_at: number;
  attempts: Generated<number>;
  handled_at: number | null;
  outcome: string | null;
}
