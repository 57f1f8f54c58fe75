import type { Gaps, Reason } from "~/scan/types";
import { pageWith, type Page } from "../site";

/** A page that attacks one thing, and what must come of it. */
export interface HostilePage {
  page: Page;
  /** What else its site serves, below the page's own path. */
  parts?: Record<string, Page>;
  /** `Expected` of one that is checked; any of the reasons of one that cannot be. */
  outcome: Expected | Reason[];
}

export interface Expected {
  /** Found among others: `rule target`. By default, the one violation that `pageWith` has of its own. */
  violations: string[];
  /** What must be said about what was not looked at; by default, that there is nothing. */
  gaps: Partial<Gaps>;
  /** Whether rules may have run out of time. */
  partial: boolean;
  /** Reasons that are as good: how far a page gets that keeps the machine busy, the machine decides. */
  orElse: Reason[];
}

export type HostilePages = Record<string, HostilePage>;

export const checked = (expected: Partial<Expected> = {}): Expected => ({
  violations: ["image-alt #bare"],
  gaps: { frames: [], unfinished: false },
  partial: false,
  orElse: [],
  ...expected,
});

/** Too much for the time or the memory of a page, or just not: what is left out must be said, one way or the other. */
export const heavy = (expected: Partial<Expected> = {}): Expected =>
  checked({ gaps: {}, partial: true, orElse: ["timeout", "too_large"], ...expected });

export const script = (code: string) => `<script>${code}</script>`;

/** A page that is checked as if nothing were, although this script runs before anything else of it. */
export const scripted = (code: string, expected: Partial<Expected> = {}): HostilePage => ({
  page: pageWith("", script(code)),
  outcome: checked(expected),
});
