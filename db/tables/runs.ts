import type { Generated, GeneratedAlways } from "kysely";
import type { Level, Reason, Standard } from "~/scan/types";
import type { JsonText } from "./json-text";

export interface RunTables {
  run: RunTable;
  page: PageTable;
  known_address: KnownAddressTable;
  page_facts: PageFactsTable;
  keyboard_walk: KeyboardWalkTable;
  page_picture: PagePictureTable;
}

export type RunStatus = "queued" | "running" | "succeeded" | "failed" | "canceled";
export type PageStatus = "queued" | "running" | "succeeded" | "failed";

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
