import type { FixNote } from "~/findings/fixes/fix";
import type { Locale } from "~/platform/i18n/i18n";
import type { CheckOutcome } from "~/scan/types";
import type english from "locales/en/fixes.json";
import type { Edit, OpeningTag } from "./opening-tag";

export type Placeholder = keyof typeof english.placeholders;

/** An element with its opening tag, and what a fix for it may say. */
export interface Opened {
  html: string;
  tag: OpeningTag;
  checks: CheckOutcome[];
  locale: Locale;
  /** A text that stands for what only a person can know, in square brackets. */
  placeholder: (name: Placeholder) => string;
  /** A text of ours as it is. */
  word: (name: Placeholder) => string;
}

export interface Draft {
  edits: Edit[];
  notes: FixNote[];
  /** The markup that the edits are for, where it is not the element's own. */
  html?: string;
}

/** How a rule's elements are put right; null where that cannot be told from what is known. */
export type Recipe = (element: Opened) => Draft | null;

/** A check's data as the list of texts that it should be, each once. */
export function textsOf(data: unknown): string[] {
  return Array.isArray(data) ? [...new Set(data.filter((entry) => typeof entry === "string"))] : [];
}

/** What a check says about an element; undefined where the check did not speak. */
export function dataOf(checks: CheckOutcome[], id: string): unknown {
  return checks.find((check) => check.id === id)?.data;
}
