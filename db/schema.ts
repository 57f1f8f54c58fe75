import type { Generated, Kysely, Transaction } from "kysely";
import type { Category, EngineVersion, Impact, Level, Reason, Standard } from "~/scan/types";

/** Columns named `…_at`, `…_until` and `run_at` hold Unix time in ms; `…_cut` is 0 or 1. */
export interface Database {
  run: RunTable;
  page: PageTable;
  known_address: KnownAddressTable;
  rule: RuleTable;
  finding: FindingTable;
  stored_element: StoredElementTable;
  element_text: ElementTextTable;
  element: ElementView;
  picture: PictureTable;
  job: JobTable;
  user: UserTable;
  session: SessionTable;
  known_browser: KnownBrowserTable;
  account_link: AccountLinkTable;
  mail: MailTable;
  message: MessageTable;
  customer: CustomerTable;
  purchase: PurchaseTable;
  registered_url: RegisteredUrlTable;
  checkout_order: CheckoutOrderTable;
  invoice: InvoiceTable;
  billing_event: BillingEventTable;
  share: ShareTable;
  review: ReviewTable;
  schedule: ScheduleTable;
  api_token: ApiTokenTable;
  idempotency_key: IdempotencyKeyTable;
  secret_mark: SecretMarkTable;
  probe: ProbeTable;
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
  /** The most pages to check; null for as many as this installation allows. */
  max_pages: number | null;
  /** Beginnings of paths that are not to be visited. */
  left_out: JsonText | null;
  /** How long each page is left alone before its analysis, and the selector that is waited for. */
  wait_ms: number | null;
  wait_for: string | null;
  /** What opens a site that is not public, encrypted; gone as soon as the run is over. */
  access: string | null;
  /** Counted against the scans that are given away. */
  trial: Generated<0 | 1>;
  /** When it became its owner's, where it was a free check before; null for all others. */
  claimed_at: Generated<number | null>;
  /** Thrown away, and for some minutes still to be had back. */
  deleted_at: number | null;
  engine_name: EngineVersion["name"] | null;
  engine_version: string | null;
  /** Pages with an outcome, and those that will have one as far as is known. */
  known_pages: Generated<number>;
  /** What is to be said about a whole site besides its pages; null for a single page. */
  crawl: JsonText | null;
  /** The version of WCAG that its order includes in full, where that is not all of its standard; null where it is. */
  full_version: Generated<Standard["version"] | null>;
  /** Rules that are violated on some page, each once, as a list of their ids; null for none. */
  violated_rules: Generated<JsonText | null>;
  /** What elements and pictures take, in bytes; -1 where nobody has looked yet. */
  evidence_bytes: Generated<number>;
  /** Whether they are all there: without pictures and what passed, or none of them. */
  evidence: Generated<"kept" | "short" | "gone">;
  /** From here on: sums over the finished pages, so that lists and statistics read no other table. */
  pages: Generated<number>;
  failed_pages: Generated<number>;
  /** Those that were checked in part. */
  partly_pages: Generated<number>;
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
  /** The first page of the site that was seen to link to it; null where none was. */
  linked_from: Generated<string | null>;
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
  /** The first page that was seen to link to it; null where none was. */
  linked_from: Generated<string | null>;
  /** Another address that the page stands for; null for none. */
  canonical: Generated<string | null>;
  state: Generated<"waiting" | "open" | "done">;
  /** 1 while it is visited and nothing else is. */
  alone: Generated<0 | 1>;
  /** 1 once a process ended while it was visited beside others; 1 more for each that ended while it was visited alone. */
  deaths: Generated<number>;
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
  /** All elements concerned, also those without a row in `stored_element`. */
  element_count: number;
}

/** Read it by `element`, which has the texts. */
export interface StoredElementTable extends ElementView {
  /** `element_text.id`; where it is null, the text is in `html`. */
  html_text: Generated<number | null>;
  /** `element_text.id`; where it is null, the text is in `checks`. */
  checks_text: Generated<number | null>;
}

/** A long text of elements: once for all elements of a run. */
export interface ElementTextTable {
  id: Generated<number>;
  run_id: string;
  /** Of `text`. */
  hash: string;
  text: string;
}

export interface ElementView {
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
  /** The same for elements of a rule that most likely come from one component. */
  component: string | null;
  /** Where it is, in words. */
  place: JsonText | null;
  /** `picture.hash`, of the same run. */
  picture: string | null;
}

/** What elements look like: once for all elements of a run that look the same. */
export interface PictureTable {
  run_id: string;
  /** Of `image`. */
  hash: string;
  /** WebP. */
  image: Uint8Array;
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
  /** As those of `known_address`, where the job is the visit of one page. */
  deaths: Generated<number>;
  /** What is under way, where that may be to blame if the process ends. */
  visiting: Generated<"beside" | "alone" | null>;
  /** Whose job it is, by whom turns are shared (`fair-share.ts`). */
  party: Generated<string>;
  /** Its place in line: jobs with a smaller one go first, and of equals the older one. */
  turn: Generated<number>;
  /** Of the jobs with the same one, one is under way at a time; null for none such. */
  lane: Generated<string | null>;
  /** Not before this time; 0 for at once. */
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
  /** The first time; null where that never was. */
  signed_in_at: Generated<number | null>;
  /** Of those that are given away, also of runs that are deleted by now. */
  trial_scans: Generated<number>;
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

/** A browser in which somebody has signed in. */
export interface KnownBrowserTable {
  /** SHA-256 of what its cookie holds. */
  id_hash: string;
  user_id: string;
  seen_at: number;
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

/** What somebody has written to the operator. */
export interface MessageTable {
  id: string;
  email: string;
  subject: string;
  text: string;
  locale: "de" | "en";
  created_at: number;
  /** When it was handed to the outbox; null as long as there is nobody to send it to. */
  posted_at: number | null;
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
  /** Paid for and not given back, by the rules in `app/billing/purchase-access.ts`: what it covered stays readable. */
  grants: 0 | 1;
  /** From then on it covers nothing new; null until further notice. */
  ends_at: Generated<number | null>;
  plan: Generated<"basic" | "pro" | "enterprise">;
  /** The product's, for people. */
  plan_name: string;
  url_limit: number;
  /** Any number of URLs, whatever `url_limit` says. */
  unlimited: Generated<0 | 1>;
  /** When its limit became smaller, the last time. */
  limit_lowered_at: Generated<number | null>;
  amount: number;
  currency: string;
  created_at: number;
  period_start: number | null;
  period_end: number | null;
  cancel_at_period_end: Generated<0 | 1>;
  by_invoice: Generated<0 | 1>;
  paused: Generated<0 | 1>;
  /** When a one-time payment succeeded. */
  paid_at: Generated<number | null>;
  refunded: "no" | "partly" | "fully" | null;
  disputed: Generated<0 | 1>;
  /** When its owner was told that the end is near. */
  end_mailed_at: Generated<number | null>;
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
  /** When a run first had something to report about it; null as long as none has. */
  checked_at: Generated<number | null>;
  /** The run that failed and gave its place back, where that is why it was removed. */
  freed_by: Generated<string | null>;
}

/** What a program proves with in whose name it asks. */
export interface ApiTokenTable {
  /** What names it in lists and forms; nobody gets in with it. */
  id: string;
  user_id: string;
  /** SHA-256 of the token. */
  token_hash: string;
  /** Its last characters. */
  ending: string;
  name: string;
  scopes: JsonText;
  created_at: number;
  expires_at: number | null;
  /** At most an hour behind. */
  last_used_at: number | null;
}

/** A request of a program that is done once only, however often it is sent. */
export interface IdempotencyKeyTable {
  token_id: string;
  key: string;
  /** SHA-256 of what was asked for. */
  request_hash: string;
  /** What came of it; null while it is under way. */
  run_id: string | null;
  created_at: number;
}

/** A form that led, or is to lead, to the provider's checkout or to an invoice. */
export interface CheckoutOrderTable {
  /** Made with the form: sent twice, it is one order. */
  id: string;
  user_id: string;
  price_id: string;
  url: string | null;
  /** The run whose result led here: a free check, or a run of the buyer's own. As a browser sent it. */
  check_id: string | null;
  /** The scan of the website that was started, or found under way, once it was paid. */
  run_id: string | null;
  /** The checkout, or the invoice, at the provider. */
  checkout_id: string | null;
  way: Generated<"checkout" | "link" | "invoice">;
  /** When the link to the checkout was handed to the outbox. */
  mailed_at: number | null;
  /** Its URL has been registered, its result handed over and its scan started. */
  fulfilled_at: number | null;
  /** It was paid at the same time as another one: its subscription is ended, and its money given back. */
  given_back_at: Generated<number | null>;
  created_at: number;
}

/** An invoice, as the provider last told it: paid, or sent to be paid by hand. Amounts are in cents. */
export interface InvoiceTable {
  /** The provider's. */
  id: string;
  user_id: string;
  number: string | null;
  plan_name: string;
  /** `gone` when the provider does not know it any more. */
  status: "open" | "paid" | "void" | "gone";
  /** What is due. */
  amount: number;
  /** What it was about. */
  total: Generated<number>;
  currency: string;
  created_at: number;
  due_at: number | null;
  /** The provider's page, where it is paid. */
  url: string | null;
  /** When it was handed to the outbox. */
  mailed_at: number | null;
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

/** A link under which others may read a run's report. */
export interface ShareTable {
  id: string;
  /** SHA-256 of what the link holds. */
  token_hash: string;
  run_id: string;
  created_at: number;
  expires_at: number;
}

/** What a person says about an element that the engine could not judge; it outlives the run that asked. */
export interface ReviewTable {
  owner: string;
  /** Scheme and host of the page. */
  origin: string;
  /** Path and query of the page. */
  path: string;
  /** The rule's name. */
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

/** A run that is to be repeated. */
export interface ScheduleTable {
  id: string;
  owner: string;
  url: string;
  scope: "page" | "site";
  level: Level;
  max_pages: number | null;
  left_out: JsonText | null;
  wait_ms: number | null;
  wait_for: string | null;
  every: "week" | "month";
  /** Repetitions are whole weeks or months after this time. */
  anchor_at: number;
  next_run_at: number;
  /** When a run was last claimed, until its result has been compared with the one before. */
  awaiting_since: number | null;
  /** Whether its owner wants mails about results. */
  mails: Generated<0 | 1>;
  /** Why nothing is started any more. */
  paused: "not_covered" | "level" | null;
  created_at: number;
}

export interface ProbeTable {
  id: number;
  at: number;
}

export interface SecretMarkTable {
  id: number;
  /** With the secret of the last start. */
  sealed: string;
}
