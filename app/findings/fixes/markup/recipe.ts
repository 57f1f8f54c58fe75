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
  /** A placeholder, in square brackets, for content that only a person can know. */
  placeholder: (name: Placeholder) => string;
  /** The same text without brackets. */
  word: (name: Placeholder) => string;
}

export interface Draft {
  edits: Edit[];
  notes: FixNote[];
  /** The markup to edit, if it is not the element's own. */
  html?: string;
}

/** Computes the fix for an element of a rule; null if the data does not determine it. */
export type Recipe = (element: Opened) => Draft | null;

/** A check's data as a list of unique texts; empty if it is not a list. */
export function textsOf(data: unknown): string[] {
  return Array.isArray(data) ? [...new Set(data.filter((entry) => typeof entry === "string"))] : [];
}

/** The data of a check; undefined if the check has no result for the element. */
export function dataOf(checks: CheckOutcome[], id: string): unknown {
  return checks.find((check) => check.id === id)?.data;
}
