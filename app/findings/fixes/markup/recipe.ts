import type { FixNote } from "~/findings/fixes/fix";
import type { Locale } from "~/platform/i18n/i18n";
import type { CheckOutcome } from "~/scan/types";
import type english from "locales/en/fixes.json";
import type { Edit, OpeningTag } from "./opening-tag";

export type Placeholder = keyof typeof english.placeholders;

/** Element with its opening tag, and the texts for a fix. */
export interface Opened {
  html: string;
  tag: OpeningTag;
  checks: CheckOutcome[];
  locale: Locale;
  /** Placeholder, in square brackets, for content that only a person can know. */
  placeholder: (name: Placeholder) => string;
  /** Text of a placeholder without brackets. */
  word: (name: Placeholder) => string;
}

export interface Draft {
  edits: Edit[];
  notes: FixNote[];
  /** Markup to edit, if it is not the element's own. */
  html?: string;
}

/** Computes the fix for an element of a rule; null if the data does not determine it. */
export type Recipe = (element: Opened) => Draft | null;

/** Data of a check as a list of unique texts; empty if it is not a list. */
export function textsOf(data: unknown): string[] {
  return Array.isArray(data) ? [...new Set(data.filter((entry) => typeof entry === "string"))] : [];
}

/** Data of a check; undefined if the check has no result for the element. */
export function dataOf(checks: CheckOutcome[], id: string): unknown {
  return checks.find((check) => check.id === id)?.data;
}
