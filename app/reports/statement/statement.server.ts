import type { Locale } from "~/platform/i18n/i18n";
import type { CriterionRow } from "~/reports/report-view";
import type { StatementFacts } from "./document";
import { endedEarly } from "~/reports/coverage.server";
import { criterionRows } from "~/reports/criterion-rows.server";
import { engineLabel } from "~/findings/engines";
import { standardName } from "~/findings/finding-views.server";
import type { Pages } from "~/runs/page.server";
import type { RuleResult } from "~/reports/report.server";
import type { Run } from "~/runs/run.server";

interface Found {
  rules: RuleResult[];
  /** Ids of rules where review by people found a problem. */
  problems: Set<string>;
}

/** Facts of a finished run for a statement about its site, in a language. */
export async function statementFacts(pages: Pages, run: Run, { rules, problems }: Found, locale: Locale): Promise<StatementFacts> {
  const judged = rules.map((rule): RuleResult => {
    const isProblem = rule.category === "incomplete" && problems.has(rule.ruleId);
    return isProblem ? { ...rule, category: "violations" } : rule;
  });
  const checked = (await pages.ofRun(run.id)).filter(({ status }) => status === "succeeded");
  const { crawl, stats, engines } = run;
  return {
    url: run.url,
    checkedAt: run.finishedAt ?? run.createdAt,
    standard: standardName(run),
    engine: engineLabel(engines),
    pages: stats.pages - stats.failedPages,
    failedPages: stats.failedPages,
    gaps: {
      incomplete: run.scope === "site" && (run.status !== "succeeded" || run.excludedPaths.length > 0 || isUnfinished(crawl)),
      onlyOne: run.scope === "page",
      levelAA: run.standard.level === "A",
      partial: checked.some(({ partial }) => partial.length > 0),
      concealed: checked.some(({ gaps }) => gaps.concealed),
      frames: checked.some(({ gaps }) => gaps.frames.length > 0 || gaps.closedShadowRoots > 0),
    },
    criteria: criterionRows(run.standard, judged, locale).map(({ number, name, clause, state, rules: about }) => ({
      name: `${number} ${name}`,
      beyond: clause === null,
      state,
      rules: state === "failed" ? violated(about) : [],
    })),
  };
}

/** Unique: a rule may be violated by the engine's result and by a person's answer. */
function violated(about: CriterionRow["rules"]): string[] {
  return [...new Set(about.filter(({ category }) => category === "violations").map(({ title }) => title.text))];
}

/** Without crawl facts, the site cannot count as completely checked. */
function isUnfinished(crawl: Run["crawl"]): boolean {
  if (!crawl) return true;
  return endedEarly({ crawl }) || crawl.excluded > 0 || crawl.skipped.overflow > 0 || crawl.traps.length > 0;
}
