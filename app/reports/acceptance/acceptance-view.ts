import type { AcceptanceKind, AcceptanceScope } from "~/findings/acceptance/acceptance";
import type { LocalText } from "~/findings/check-view";

/** Scope that may be accepted, with its current number of elements and pages. */
export interface AcceptChoice {
  scope: AcceptanceScope;
  elements: number;
  pages: number;
}

/** Acceptance on the page of an element. */
export interface AcceptanceNote {
  scope: AcceptanceScope;
  kind: AcceptanceKind;
  lastDay: string | null;
  /** Unix time in ms. */
  at: number;
  /** Null for readers other than the owner of the report. */
  private: { reason: string; by: string } | null;
}

/**
 * `found`: valid for elements of this run; `unknown`: its elements are deleted, so it cannot be subtracted from the counts; `notFound`: valid,
 * but not for any element of this run.
 */
export const ACCEPTANCE_GROUPS = ["found", "unknown", "notFound", "ended"] as const;
type AcceptanceGroup = (typeof ACCEPTANCE_GROUPS)[number];

/** Acceptance in the list for a website. */
export interface AcceptanceRow extends AcceptanceNote {
  id: string;
  group: AcceptanceGroup;
  rule: LocalText;
  /** Path of the rule in this report; null if the run has no violation of it. */
  path: string | null;
  pageUrl: string | null;
  html: string | null;
  htmlCut: boolean;
  /** Number of elements in this run. */
  elements: number;
  pages: number;
  ended: { by: string; at: number } | null;
}

/** Path of the form that accepts a rule, or one of its elements. @param base of the report */
export function acceptPath(base: string, ruleId: string, at?: { pageId: number; position: number }): string {
  const path = `${base}/accept/${encodeURIComponent(ruleId)}`;
  return at ? `${path}/${at.pageId}/${at.position}` : path;
}
