import type { Page } from "~/models/page.server";
import type { PlaceGroup, Reports, RuleResult } from "~/models/report.server";
import type { Run } from "~/models/run.server";
import type { Category } from "~/scan/types";
import sample from "./lib/sample-report.json";

/** A report that is kept with the release; `scripts/sample.ts` writes it. */
export interface SampleReport {
  run: Run;
  pages: Page[];
  rules: RuleResult[];
  /** What is stored of the elements of each rule that lists some. */
  places: { category: Category; ruleId: string; groups: PlaceGroup[]; total: number; stored: number }[];
}

const SAMPLE = sample as unknown as SampleReport;

/** Reads the sample report as others are read from the database. */
export const sampleReport = {
  run: SAMPLE.run,
  rules: SAMPLE.rules,
  pages: { ofRun: async () => SAMPLE.pages },
  reports: {
    async placesOf(_runId: string, { category, ruleId, offset, limit }: Parameters<Reports["placesOf"]>[1]) {
      const of = SAMPLE.places.find((each) => each.category === category && each.ruleId === ruleId);
      return { groups: of?.groups.slice(offset, offset + limit) ?? [], total: of?.total ?? 0, stored: of?.stored ?? 0 };
    },
  },
};
