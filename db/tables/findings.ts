import type { Generated } from "kysely";
import type { Category, Impact, RuleSource } from "~/scan/types";
import type { JsonText } from "./json-text";

export interface FindingTables {
  rule: RuleTable;
  finding: FindingTable;
  stored_element: StoredElementTable;
  element_text: ElementTextTable;
  element: ElementView;
  picture: PictureTable;
  stored_picture: StoredPictureTable;
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
  /** Of `picture` or `stored_picture`, of the same run. */
  picture: string | null;
}

/** Pictures of elements and pages: one for all elements of a run that look the same. */
interface PictureTable {
  run_id: string;
  /** Of `image`. */
  hash: string;
  /** WebP. */
  image: Uint8Array;
}

/** The same, with the image in the object store. */
interface StoredPictureTable {
  run_id: string;
  /** Of the image. */
  hash: string;
  /** Size of the image. */
  bytes: number;
}
