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
  /** Id of the user; null for an anonymous run. */
  owner: string | null;
  url: string;
  /** Scheme and host of `url`: the website. */
  origin: GeneratedAlways<string>;
  /** Host of `url` without `www.`: the site in statistics. */
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
  /** Maximum number of pages; null for the limit of this installation. */
  max_pages: number | null;
  /** Path prefixes excluded by the user. */
  left_out: JsonText | null;
  /** Wait before the analysis of each page (ms), and a selector to wait for. */
  wait_ms: number | null;
  wait_for: string | null;
  /** Encrypted credentials of a site that is not public; deleted when the run is over. */
  access: string | null;
  /** 1 if the run counts against the free trial scans. */
  trial: Generated<0 | 1>;
  /** Time when a free check was transferred to its owner; null for all other runs. */
  claimed_at: Generated<number | null>;
  /** Time when the user deleted it; restorable for some minutes. */
  deleted_at: number | null;
  /** All engines and rule sets that took part, as `EngineVersion[]`; the latest first. */
  engines: Generated<JsonText>;
  /** Number of pages with a result, plus known pages without one yet. */
  known_pages: Generated<number>;
  /** Facts about the crawl of a whole site; null for a single page. */
  crawl: JsonText | null;
  /** WCAG version whose full results are included; null for the whole standard of the run. */
  full_version: Generated<Standard["version"] | null>;
  /** JSON list of rules violated on any page, each once; null for none. */
  violated_rules: Generated<JsonText | null>;
  /** Changes since the previous run, as `StoredChanges`; null until they are counted. */
  changes: Generated<JsonText | null>;
  /** 1: the owner wants a mail when the run is over; 2: the owner declined it; 0: no choice, or the mail was handed to the outbox. */
  mail_when_done: Generated<0 | 1 | 2>;
  /** Size of elements and pictures in bytes; -1 if not measured yet. */
  evidence_bytes: Generated<number>;
  /** `kept`: complete; `short`: without pictures and passed elements; `gone`: deleted. */
  evidence: Generated<"kept" | "short" | "gone">;
  /** The columns from here are sums over the finished pages, so that lists and statistics read no other table. */
  pages: Generated<number>;
  failed_pages: Generated<number>;
  /** Number of pages checked in part. */
  partly_pages: Generated<number>;
  violations: Generated<number>;
  incomplete: Generated<number>;
  passes: Generated<number>;
  inapplicable: Generated<number>;
  /** Number of elements with violations. */
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
  /** First page of the site found with a link to this one; null if none was found. */
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
  /** Stages of the check; null for pages checked by older versions. */
  stages: JsonText | null;
}

/** Facts for the rules about whole sites; deleted when the run is over. */
interface PageFactsTable {
  page_id: number;
  facts: JsonText;
}

/** Stops of the walk with the Tab key. */
interface KeyboardWalkTable {
  page_id: number;
  /** First stops, as `WalkStop[]`. */
  stops: JsonText;
  /** Number of all stops. */
  count: number;
  /** 1 if the walk reached the end of the page. */
  whole: 0 | 1;
  /** `picture.hash` in the same run. */
  picture: string | null;
  /** Width of the picture in CSS pixels of the page; 0 without a picture. */
  width: number;
  height: number;
}

/** Picture of a page from its top. */
interface PagePictureTable {
  page_id: number;
  /** `picture.hash` in the same run. */
  picture: string;
  /** Width of the picture in CSS pixels of the page. */
  width: number;
  height: number;
  /** Positions of violations in the picture, as `Mark[]`. */
  marks: JsonText;
}

/** Address found by the run of a whole site; deleted when the run is over. */
export interface KnownAddressTable {
  run_id: string;
  /** Position in the order of discovery, from 0. */
  position: number;
  key: string;
  url: string;
  depth: number;
  chain: number;
  source: "start" | "link" | "sitemap" | "canonical";
  /** First page found with a link to this address; null if none was found. */
  linked_from: Generated<string | null>;
  /** Canonical address of the page, if it is another one; null for none. */
  canonical: Generated<string | null>;
  state: Generated<"waiting" | "open" | "done">;
  /** 1 during a visit without any other visit at the same time. */
  alone: Generated<0 | 1>;
  /** Process crashes during visits: all crashes with other visits at the same time count 1 together, each crash of a visit alone counts 1 more. */
  deaths: Generated<number>;
}
