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
  /** JSON list of the conditions with this outcome; null for a rule with one condition. */
  conditions: string | null;
}

/** Element with its texts by reference. For reads, use the view `element`, which has the texts. */
export interface StoredElementTable extends ElementView {
  /** `element_text.id`; if null, the text is in `html`. */
  html_text: Generated<number | null>;
  /** `element_text.id`; if null, the text is in `checks`. */
  checks_text: Generated<number | null>;
  /** `fingerprintOf` a violation; null for other elements, and for elements stored by older versions. */
  fingerprint: Generated<string | null>;
}

/** Long text of elements, stored once per run. */
interface ElementTextTable {
  id: Generated<number>;
  run_id: string;
  /** Hash of `text`. */
  hash: string;
  text: string;
}

export interface ElementView {
  page_id: number;
  category: Category;
  rule_id: number;
  /** Position in document order, from 0. */
  position: number;
  target: JsonText;
  html: string;
  html_cut: 0 | 1;
  impact: Impact | null;
  checks: JsonText;
  /** Component key: equal for elements of a rule that probably come from one component. */
  component: string | null;
  /** Position on the page, in words. */
  place: JsonText | null;
  /** Hash of a `picture` or `stored_picture` of the same run. */
  picture: string | null;
}

/** Picture of elements or pages: one for all elements of a run that look the same. */
interface PictureTable {
  run_id: string;
  /** Hash of `image`. */
  hash: string;
  /** Image as WebP. */
  image: Uint8Array;
}

/** Picture with its image in the object store. */
interface StoredPictureTable {
  run_id: string;
  /** Hash of the image. */
  hash: string;
  /** Size of the image in bytes. */
  bytes: number;
}
