import { isExceptionByLaw, staysViolated, type Acceptance } from "~/findings/acceptance/acceptance";
import { hasAdvancedRules } from "~/findings/rules/guide.server";
import { titleOf } from "~/findings/rules/titles.server";
import { formatCalendarDate } from "~/platform/i18n/calendar-date";
import { textsOf } from "~/platform/i18n/i18n.server";
import type { Locale } from "~/platform/i18n/i18n";
import type { CriterionRow } from "~/reports/report-view";
import { assessed } from "~/reports/review/assessed";
import type { AnsweredRules } from "~/reports/review/review.server";
import { isAssessed, type CriterionReview, type CriterionReviews } from "~/reports/review/verdict";
import type { StatementFacts, StatementState } from "./document";
import { endedEarly, isLedElsewhere, unfinishedOn } from "~/reports/coverage.server";
import { criterionRows } from "~/reports/criterion-rows.server";
import { engineLabel } from "~/findings/engines";
import { standardName } from "~/findings/finding-views.server";
import type { Pages } from "~/runs/page.server";
import type { RuleResult } from "~/reports/report.server";
import type { Run } from "~/runs/run";
import type { Standard } from "~/scan/types";

type FoundState = Exclude<StatementState, "by_hand">;

interface Found extends AnsweredRules {
  /** All rules, also those that are accepted as a whole. */
  rules: RuleResult[];
  /** Acceptances with the number of covered elements of the run; null if no longer known. */
  acceptances: (Acceptance & { elements: number | null })[];
  verdicts: CriterionReviews;
}

/** Facts of a finished run for a statement about its site, in a language. */
export async function statementFacts(pages: Pages, run: Run, { rules, acceptances, problems, settled, verdicts }: Found, locale: Locale): Promise<StatementFacts> {
  const judged = rules.map((rule): RuleResult => {
    const isProblem = rule.category === "incomplete" && problems.has(rule.ruleId);
    return isProblem ? { ...rule, category: "violations" } : rule;
  });
  const checked = (await pages.ofRun(run.id)).filter(({ status }) => status === "succeeded");
  const { crawl, stats, engines } = run;
  const unfinished = unfinishedOn(checked);
  const rows = criterionRows(run.standard, { rules: judged, unfinished }, locale);
  return {
    url: run.url,
    checkedAt: run.finishedAt ?? run.createdAt,
    standard: standardName(run),
    engine: engineLabel(engines),
    pages: stats.pages - stats.failedPages,
    failedPages: stats.failedPages,
    inUse: hasAdvancedRules([...rules.map(({ ruleId }) => ruleId), ...unfinished]),
    gaps: {
      incomplete: run.scope === "site" && (run.status !== "succeeded" || run.excludedPaths.length > 0 || isUnfinished(crawl)),
      onlyOne: run.scope === "page",
      levelAA: run.standard.level === "A",
      partial: unfinished.length > 0,
      notLoaded: checked.some(({ gaps }) => gaps.unfinished || gaps.late.length > 0 || gaps.missing !== null),
      concealed: checked.some(({ gaps }) => gaps.concealed),
      frames: checked.some(({ gaps }) => gaps.frames.length > 0 || gaps.closedShadowRoots > 0),
    },
    criteria: rows.map((row) => criterionOf(row, { acceptances, settled }, verdicts.get(row.number), locale)),
    hasJudgedViolations: rows.some((row) => row.state === "accepted" && !aboutRulesOf(row, acceptances).some(staysViolated)),
    exceptions: acceptances.filter(isExceptionByLaw).map(({ kind, ruleId, elements, lastDay, reason }) => {
      const rule = titleOf({ ruleId, help: rules.find((each) => each.ruleId === ruleId)?.help ?? ruleId }, "violations", locale).text;
      return { kind, rule, elements, lastDay, reason: reason.replace(/\s+/g, " ") };
    }),
    byHand: byHandOf(run.standard, verdicts),
  };
}

function byHandOf(standard: Standard, verdicts: CriterionReviews): StatementFacts["byHand"] {
  const given = assessed(standard, verdicts);
  return given.length > 0 ? { count: given.length, lastAt: Math.max(...given.map(({ at }) => at)) } : null;
}

/** Criterion with a person's verdict, which does not remove a violation; its note is added. */
function criterionOf(row: CriterionRow, { acceptances, settled }: Pick<Found, "acceptances" | "settled">, review: CriterionReview | undefined, locale: Locale): StatementFacts["criteria"][number] {
  const { number, name, clause, rules } = row;
  const about = aboutRulesOf(row, acceptances);
  const state = stateByHand(foundState(row, about, settled), review);
  const byHand = review?.verdict === "not_fulfilled" && review.note ? [review.note.replace(/\s+/g, " ")] : [];
  return {
    name: `${number} ${name}`,
    beyond: clause === null,
    applies: state !== "by_hand" || review?.verdict !== "not_applicable",
    state,
    rules: state === "failed" ? [...violated(rules, about, locale), ...byHand] : [],
  };
}

const aboutRulesOf = ({ rules }: CriterionRow, acceptances: Acceptance[]) => acceptances.filter(({ ruleId }) => rules.some((rule) => rule.ruleId === ruleId));

/** An open question has priority over answers for other elements. */
function foundState({ state, isUnfinished, rules }: CriterionRow, acceptances: Acceptance[], settled: Found["settled"]): FoundState {
  if (state === "accepted" && acceptances.some(staysViolated)) return "failed";
  if (state !== "accepted" && state !== "review") return state;
  return rules.some(({ category, ruleId }) => category === "incomplete" && !settled.has(ruleId)) ? "review" : isUnfinished ? "unfinished" : "judged";
}

function stateByHand(found: FoundState, review: CriterionReview | undefined): StatementState {
  if (found === "failed" || review?.verdict === "not_fulfilled") return "failed";
  return isAssessed(review) ? "by_hand" : found;
}

/** Unique problems: a rule may be violated by the engine's result and by a person's answer. */
function violated(about: CriterionRow["rules"], acceptances: Acceptance[], locale: Locale): string[] {
  const t = textsOf(locale).getFixedT(null, "statement", "draft");
  const rules = new Map(about.filter(({ category }) => category === "violations").map((rule) => [rule.title.text, rule]));
  return [...rules].flatMap(([title, { ruleId, isOpen }]) => {
    const accepted = acceptances.filter((each) => each.ruleId === ruleId);
    if (!isOpen && !accepted.some(staysViolated)) return [];
    // The date is shown only if all remaining violations of the rule are accepted until then.
    const day = isOpen ? undefined : accepted.flatMap(({ kind, lastDay }) => (kind === "will_be_fixed" && lastDay ? [lastDay] : [])).sort().at(-1);
    return [day === undefined ? title : t("failed.planned", { rule: title, day: formatCalendarDate(day, locale) })];
  });
}

/** Without crawl facts, the site cannot count as completely checked. */
function isUnfinished(crawl: Run["crawl"]): boolean {
  if (!crawl) return true;
  return endedEarly({ crawl }) || isLedElsewhere({ crawl }) || crawl.disallowed > 0 || crawl.skipped.overflow > 0 || crawl.traps.length > 0 || crawl.sitemaps?.cut === true;
}
