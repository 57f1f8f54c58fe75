import type { Generated, GeneratedAlways, Kysely, Transaction } from "kysely";
import type { Category, Impact, Level, Reason, RuleSource, Standard } from "~/scan/types";

/** Columns named `…_at`, `…_until` and `run_at` hold Unix time in ms; `…_cut` is 0 or 1. */
export interface Database {
  run: RunTable;
  page: PageTable;
  known_address: KnownAddressTable;
  page_facts: PageFactsTable;
  keyboard_walk: KeyboardWalkTable;
  page_picture: PagePictureTable;
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
  code_app: CodeAppTable;
  recovery_code: RecoveryCodeTable;
  pending_sign_in: PendingSignInTable;
  passkey: PasskeyTable;
  passkey_challenge: PasskeyChallengeTable;
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
  criterion_review: CriterionReviewTable;
  acceptance: AcceptanceTable;
  report_cover: ReportCoverTable;
  finding_note: FindingNoteTable;
  schedule: ScheduleTable;
  audit_entry: AuditEntryTable;
  first_administrator_link: FirstAdministratorLinkTable;
  invitation: InvitationTable;
  api_token: ApiTokenTable;
  idempotency_key: IdempotencyKeyTable;
  secret_mark: SecretMarkTable;
  probe: ProbeTable;
}

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

/** A value as JSON text. Only the models read and write it. */
type JsonText = string;

export type RunStatus = "queued" | "running" | "succeeded" | "failed" | "canceled";
export type PageStatus = "queued" | "running" | "succeeded" | "failed";
type JobState = "queued" | "running" | "done" | "failed";

export interface RunTable {
  /** 128 random bits: the id of an anonymous run gives read access to it. */
  id: string;
  /** The user; null for an anonymous run. */
  owner: string | null;
  url: string;
  /** Scheme and host of `url`: the website. */
  origin: GeneratedAlways<string>;
  /** The host of `url` without `www.`: the site in statistics. */
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
  /** Maximum number of pages; null: the limit of this installation. */
  max_pages: number | null;
  /** Path prefixes excluded by the user. */
  left_out: JsonText | null;
  /** Wait before the analysis of each page (ms), and a selector to wait for. */
  wait_ms: number | null;
  wait_for: string | null;
  /** Encrypted credentials of a site that is not public; deleted when the run is over. */
  access: string | null;
  /** Counts against the free trial scans. */
  trial: Generated<0 | 1>;
  /** When a free check was transferred to its owner; null for all other runs. */
  claimed_at: Generated<number | null>;
  /** Deleted by the user; can be restored for some minutes. */
  deleted_at: number | null;
  /** All engines and rule sets that took part, as `EngineVersion[]`; the latest first. */
  engines: Generated<JsonText>;
  /** Number of pages with a result, plus known pages without one yet. */
  known_pages: Generated<number>;
  /** Facts about the crawl of a whole site; null for a single page. */
  crawl: JsonText | null;
  /** WCAG version whose full results are included; null if that is the whole standard of the run. */
  full_version: Generated<Standard["version"] | null>;
  /** List of the ids of rules that are violated on any page, each once; null for none. */
  violated_rules: Generated<JsonText | null>;
  /** Changes since the run before, as `StoredChanges`; null until they are counted. */
  changes: Generated<JsonText | null>;
  /** 1: its owner wants a mail when it is over; 2: its owner declined it; 0: neither, or the mail was handed to the outbox. */
  mail_when_done: Generated<0 | 1 | 2>;
  /** Size of elements and pictures (bytes); -1 if not measured yet. */
  evidence_bytes: Generated<number>;
  /** `kept`: complete; `short`: without pictures and passed elements; `gone`: deleted. */
  evidence: Generated<"kept" | "short" | "gone">;
  /** From here on: sums over the finished pages, so that lists and statistics read no other table. */
  pages: Generated<number>;
  failed_pages: Generated<number>;
  /** Pages checked in part. */
  partly_pages: Generated<number>;
  violations: Generated<number>;
  incomplete: Generated<number>;
  passes: Generated<number>;
  inapplicable: Generated<number>;
  /** Elements with violations. */
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
  /** The first page of the site found to link to it; null if none was found. */
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
  /** Null on pages that were checked before it was stored. */
  stages: JsonText | null;
}

/** For the rules about whole sites; deleted when the run is over. */
interface PageFactsTable {
  page_id: number;
  facts: JsonText;
}

/** What the walk with the Tab key went through. */
interface KeyboardWalkTable {
  page_id: number;
  /** `WalkStop[]`: the first ones. */
  stops: JsonText;
  /** Number of all stops. */
  count: number;
  /** 1 if the walk came to the end of the page. */
  whole: 0 | 1;
  /** `picture.hash`, of the same run. */
  picture: string | null;
  /** Of the picture, in CSS pixels of the page; 0 without one. */
  width: number;
  height: number;
}

/** A picture of a page from its top. */
interface PagePictureTable {
  page_id: number;
  /** `picture.hash`, of the same run. */
  picture: string;
  /** In CSS pixels of the page. */
  width: number;
  height: number;
  /** `Mark[]`: where places of violations are in it. */
  marks: JsonText;
}

/** Addresses found by the run of a whole site; deleted when it is over. */
export interface KnownAddressTable {
  run_id: string;
  /** From 0, in the order of discovery. */
  position: number;
  key: string;
  url: string;
  depth: number;
  chain: number;
  source: "start" | "link" | "sitemap" | "canonical";
  /** The first page found to link to it; null if none was found. */
  linked_from: Generated<string | null>;
  /** Another address that the page stands for; null for none. */
  canonical: Generated<string | null>;
  state: Generated<"waiting" | "open" | "done">;
  /** 1 while it is visited alone. */
  alone: Generated<0 | 1>;
  /** Process crashes during visits: those beside others count 1 in total, each visit alone counts 1 more. */
  deaths: Generated<number>;
}

/** Text of an engine version about a rule, once for all its findings. */
export interface RuleTable {
  id: Generated<number>;
  source: RuleSource;
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
  /** Number of all elements found, including those without a row in `stored_element`. */
  element_count: number;
  /** JSON list of the conditions in which the rule had this outcome; null for the one condition of the rule. */
  conditions: string | null;
}

/** Read it through the view `element`, which has the texts. */
export interface StoredElementTable extends ElementView {
  /** `element_text.id`; if null, the text is in `html`. */
  html_text: Generated<number | null>;
  /** `element_text.id`; if null, the text is in `checks`. */
  checks_text: Generated<number | null>;
  /** `fingerprintOf` a violation; null on other elements, and on those that were stored before it was. */
  fingerprint: Generated<string | null>;
}

/** A long text of elements, stored once per run. */
interface ElementTextTable {
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
  /** Equal for elements of a rule that probably come from one component. */
  component: string | null;
  /** Position on the page, in words. */
  place: JsonText | null;
  /** `picture.hash`, of the same run. */
  picture: string | null;
}

/** Pictures of elements: one for all elements of a run that look the same. */
interface PictureTable {
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
  /** Failed attempts (without process crashes), and the running one. */
  attempts: Generated<number>;
  max_attempts: Generated<number>;
  /** Same as in `known_address`, for a job that visits one page. */
  deaths: Generated<number>;
  /** Kind of the running visit, which may be the cause if the process ends. */
  visiting: Generated<"beside" | "alone" | null>;
  /** Owner of the job; parties take turns (`sqlite-queue.server.ts`). */
  party: Generated<string>;
  /** Queue position: jobs with a smaller number go first, then the older job. */
  turn: Generated<number>;
  /** Jobs with the same lane run one at a time; null: no lane. */
  lane: Generated<string | null>;
  /** Earliest start; 0: at once. */
  run_at: number;
  lease_until: number | null;
  heartbeat_at: number | null;
  /** Lease holder: host, process, its start and the claim. Only the lease holder may finish the job. */
  leased_by: string | null;
  created_at: number;
  finished_at: number | null;
  error: string | null;
}

export interface UserTable {
  /** 128 random bits. */
  id: string;
  /** Id at the hosted identity provider (`sub`); null for an account of this installation. */
  subject: string | null;
  email: string;
  /** `email` in the form in which addresses are compared. */
  email_key: string;
  email_verified: Generated<0 | 1>;
  name: string;
  /** Scrypt's parameters, salt and hash; null if the provider keeps it. */
  password: string | null;
  locale: "de" | "en";
  created_at: number;
  /** First sign-in; null if never. */
  signed_in_at: Generated<number | null>;
  /** Number of free trial scans used, including deleted runs. */
  trial_scans: Generated<number>;
  /** Wants mails about finished scans, unless they say otherwise. */
  mails_when_done: Generated<0 | 1>;
  /** May administer this installation. */
  administrator: Generated<0 | 1>;
  /** Since then it signs in nowhere, and its repeated scans do not run; null: it is in use. */
  disabled_at: Generated<number | null>;
  /** Limits of this account; null: those of the installation. */
  most_waiting: Generated<number | null>;
  most_pages: Generated<number | null>;
}

export interface SessionTable {
  /** SHA-256 of the cookie value: a leaked database does not give access to sessions. */
  id_hash: string;
  /** Null before sign-in, for a session that only keeps temporary data. */
  user_id: string | null;
  /** The provider's tokens, encrypted. */
  tokens: string | null;
  /** A message for the next page. */
  flash: JsonText | null;
  /** A form sent with an expired session, encrypted. */
  kept: string | null;
  /** Common names of browser and system. */
  browser: string | null;
  created_at: number;
  seen_at: number;
  expires_at: number;
}

/** A browser in which a user has signed in. */
interface KnownBrowserTable {
  /** SHA-256 of its cookie value. */
  id_hash: string;
  user_id: string;
  seen_at: number;
}

/** A link sent by mail; opening it proves ownership of the address. */
interface AccountLinkTable {
  /** SHA-256 of the token in the link. */
  token_hash: string;
  user_id: string;
  purpose: "verify" | "change_email" | "reset_password";
  /** The recipient. */
  email: string;
  expires_at: number;
}

/** An authenticator app: the second factor of a local account. */
interface CodeAppTable {
  user_id: string;
  /** Base32, encrypted. */
  secret: string;
  created_at: number;
  /** A code has shown that the app works; null before, without any effect on signing in. */
  confirmed_at: number | null;
  /** Time step of the last accepted code: no code is accepted twice. */
  last_step: number;
}

/** For signing in without the app. */
interface RecoveryCodeTable {
  user_id: string;
  /** SHA-256. */
  code_hash: string;
  used_at: number | null;
}

/** A sign-in with a correct password that waits for the second factor; gives no rights. */
interface PendingSignInTable {
  /** SHA-256 of its cookie value. */
  id_hash: string;
  user_id: string;
  /** The user has just got a mail about the same event. */
  is_told: 0 | 1;
  expires_at: number;
}

/** The public half of a passkey. */
interface PasskeyTable {
  /** The credential's id, base64url. */
  id: string;
  user_id: string;
  /** Chosen by the user. */
  name: string;
  /** COSE key, base64url. */
  public_key: string;
  /** Of its uses, as it says itself; 0 for passkeys that do not count. */
  counter: number;
  /** Ways in which a browser reaches it. */
  transports: JsonText;
  created_at: number;
  last_used_at: Generated<number | null>;
}

/** A challenge that a passkey has not answered yet. */
interface PasskeyChallengeTable {
  /** SHA-256. */
  challenge_hash: string;
  user_id: string;
  purpose: "add" | "use";
  expires_at: number;
}

/** Mails waiting to be sent; deleted when sent. */
interface MailTable {
  id: string;
  /** Recipient, subject and text, encrypted: they may contain links that give access to an account. */
  sealed: string;
  attempts: Generated<number>;
  /** Earliest time to send; while it is being sent, the time of the next attempt. */
  run_at: number;
  created_at: number;
  given_up_at: number | null;
  error: string | null;
}

/** A message to the operator. */
interface MessageTable {
  id: string;
  email: string;
  subject: string;
  text: string;
  locale: "de" | "en";
  created_at: number;
  /** When it was handed to the outbox; null while there is no recipient. */
  posted_at: number | null;
}

interface CustomerTable {
  user_id: string;
  /** The payment provider's id. */
  customer_id: string | null;
  /** Number of customers at the provider, if more than one. */
  several: Generated<number>;
  /** When purchases were last synchronized with the provider. */
  reconciled_at: number | null;
}

/** A subscription or a one-time payment, as last reported by the provider. Amounts are in cents. */
export interface PurchaseTable {
  /** The provider's id. */
  id: string;
  user_id: string;
  kind: "subscription" | "payment";
  status: string;
  /** Paid and not refunded, by the rules in `app/billing/purchase-entitlement.ts`: results it covered stay readable. */
  grants: 0 | 1;
  /** From then on it covers nothing new; null: no end. */
  ends_at: Generated<number | null>;
  plan: Generated<"basic" | "pro" | "enterprise">;
  /** Product name, for users. */
  plan_name: string;
  url_limit: number;
  /** Any number of URLs, regardless of `url_limit`. */
  unlimited: Generated<0 | 1>;
  /** When its limit was last lowered. */
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
  /** When the mail about the coming end was sent. */
  end_mailed_at: Generated<number | null>;
  /** `urls_version` grows with each change of its URLs; `urls_written` is the version sent to the provider. */
  urls_version: Generated<number>;
  urls_written: Generated<number>;
  /** By an administrator, without payment: the provider does not know it. */
  granted: Generated<0 | 1>;
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
  /** When a run first had a result for it; null if none had. */
  checked_at: Generated<number | null>;
  /** The failed run that freed its slot, if it was removed for that reason. */
  freed_by: Generated<string | null>;
}

/** An API token: authenticates a program as a user. */
export interface ApiTokenTable {
  /** Id in lists and forms; it gives no access. */
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
  /** Up to an hour old. */
  last_used_at: number | null;
}

/** Idempotency key: a repeated API request is processed only once. */
interface IdempotencyKeyTable {
  token_id: string;
  key: string;
  /** SHA-256 of the request. */
  request_hash: string;
  /** The resulting run; null while the request is processed. */
  run_id: string | null;
  created_at: number;
}

/** An order form that leads to the provider's checkout or to an invoice. */
interface CheckoutOrderTable {
  /** Made with the form (idempotency key): sent twice, it is one order. */
  id: string;
  user_id: string;
  price_id: string;
  url: string | null;
  /** The run whose result led here: a free check, or the buyer's own run. Unverified browser input. */
  check_id: string | null;
  /** The scan of the website that was started, or already running, after payment. */
  run_id: string | null;
  /** The checkout, or the invoice, at the provider. */
  checkout_id: string | null;
  way: Generated<"checkout" | "link" | "invoice">;
  /** When the link to the checkout was handed to the outbox. */
  mailed_at: number | null;
  /** When its URL was registered, its result assigned and its scan started. */
  fulfilled_at: number | null;
  /** When its refund and the end of its subscription were noted: another order was paid at the same time. */
  given_back_at: Generated<number | null>;
  created_at: number;
}

/** An invoice, as last reported by the provider: paid, or sent for manual payment. Amounts are in cents. */
interface InvoiceTable {
  /** The provider's id. */
  id: string;
  user_id: string;
  number: string | null;
  plan_name: string;
  /** `gone`: the provider no longer has it. */
  status: "open" | "paid" | "void" | "gone";
  /** Amount due. */
  amount: number;
  /** Total amount. */
  total: Generated<number>;
  currency: string;
  created_at: number;
  due_at: number | null;
  /** Payment page of the provider. */
  url: string | null;
  /** When it was handed to the outbox. */
  mailed_at: number | null;
}

/** An event of the provider, and its outcome. */
interface BillingEventTable {
  id: string;
  type: string;
  customer_id: string | null;
  created_at: number;
  received_at: number;
  attempts: Generated<number>;
  handled_at: number | null;
  outcome: string | null;
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

/** A scheduled, repeated run. */
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
  every: "day" | "week" | "month";
  /** Of the day, in the time zone of this installation; null: at the time of day of `anchor_at`. */
  hour: number | null;
  /** Repetitions are whole days, weeks or months after this time. */
  anchor_at: number;
  next_run_at: number;
  /** When a run was last claimed; null once its result was compared with the one before. */
  awaiting_since: number | null;
  /** Whether its owner wants mails about results. */
  mails: Generated<0 | 1>;
  /** Why no more runs are started. */
  paused: "not_covered" | "level" | "access" | null;
  created_at: number;
  /** Access data of a site that is not public, encrypted. */
  access: string | null;
}

/** What an administrator did. */
export interface AuditEntryTable {
  id: string;
  at: number;
  /** `AUDIT_ACTIONS` in `app/administration/audit-log.server.ts`. */
  action: string;
  /** The user who did it; null for a command on the server. */
  actor_id: string | null;
  /** Their address at that time. */
  actor: string;
  /** The account that it was done to; null if it concerns none. */
  subject_id: string | null;
  /** Its address at that time. */
  subject: string | null;
  details: JsonText;
}

/** The link that makes the first administrator: at most one row. */
interface FirstAdministratorLinkTable {
  /** SHA-256 of the token in the link. */
  token_hash: string;
  created_at: number;
}

/** An invitation to create an account; one for each address. */
export interface InvitationTable {
  id: string;
  /** SHA-256 of the token in the link. */
  token_hash: string;
  email: string;
  /** `email` in the form in which addresses are compared. */
  email_key: string;
  /** Of the mail. */
  locale: "de" | "en";
  /** Address of the administrator, or the command line. */
  invited_by: string;
  sent_at: number;
  expires_at: number;
  /** When an account was created with it, and that account. */
  used_at: Generated<number | null>;
  user_id: Generated<string | null>;
}

interface ProbeTable {
  id: number;
  at: number;
}

interface SecretMarkTable {
  id: number;
  /** Sealed with the secret of the last start. */
  sealed: string;
}
