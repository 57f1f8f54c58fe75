import type { Gaps, Reason } from "~/scan/types";
import { pageWith, type Page } from "../site";

/** Page with one attack, and its expected outcome. */
export interface HostilePage {
  page: Page;
  /** Other resources of its site, below the path of the page. */
  parts?: Record<string, Page>;
  /** `Expected` if the page is checked; one of the reasons if it fails. */
  outcome: Expected | Reason[];
}

export interface Expected {
  /** `rule target`, possibly among others. By default, the only violation of `pageWith`. */
  violations: string[];
  /** Expected gaps of the analysis; by default, none. */
  gaps: Partial<Gaps>;
  /** Whether rules may have run out of time. */
  partial: boolean;
  /** Ids of rules that cannot check everything there, and must be named. */
  untried: string[];
  /** Other accepted reasons: the progress of a page with much work depends on the machine. */
  orElse: Reason[];
}

export type HostilePages = Record<string, HostilePage>;

export const checked = (expected: Partial<Expected> = {}): Expected => ({
  violations: ["image-alt #bare"],
  gaps: { frames: [], unfinished: false },
  partial: false,
  untried: [],
  orElse: [],
  ...expected,
});

/** Outcome for a page at its limit of time or memory: partial or failed, but never without a notice. */
export const heavy = (expected: Partial<Expected> = {}): Expected =>
  checked({ gaps: {}, partial: true, orElse: ["timeout", "too_large"], ...expected });

export const script = (code: string) => `<script>${code}</script>`;

/** Page that is checked normally, although this script runs first. */
export const scripted = (code: string, expected: Partial<Expected> = {}): HostilePage => ({
  page: pageWith("", script(code)),
  outcome: checked(expected),
});
