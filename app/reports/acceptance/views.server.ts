import type { Acceptance } from "~/findings/acceptance/acceptance";
import { KEPT_HTML } from "~/findings/acceptance/acceptances.server";
import type { AcceptedInRun } from "~/findings/acceptance/accepted-findings.server";
import { titleOf } from "~/findings/rules/titles.server";
import type { Locale } from "~/platform/i18n/i18n";
import { withoutWithheld, type Withheld } from "~/reports/report-entitlement.server";
import type { RuleResult } from "~/reports/report.server";
import { rulePath, type ReportReader } from "~/reports/report-view";
import { ACCEPTANCE_GROUPS, type AcceptanceNote, type AcceptanceRow } from "./acceptance-view";

/** Acceptance for a reader: only the owner of the report sees names and reasons. */
export function acceptanceNote({ scope, kind, lastDay, at, reason, by }: Acceptance, reader: ReportReader): AcceptanceNote {
  return { scope, kind, lastDay, at, private: reader === "owner" ? { reason, by } : null };
}

interface Listed {
  acceptances: Acceptance[];
  accepted: AcceptedInRun;
  /** All rules of the run. */
  rules: RuleResult[];
  /** Ids of rules whose elements the plan does not include (any more). */
  withheld: Withheld;
  /** Whether the elements of the run are deleted. */
  evidenceGone: boolean;
}

/** Acceptances of a website for a run: valid ones first, ended ones last. Readers other than the owner see only those found in it. */
export function acceptanceRows({ acceptances, accepted, rules, withheld, evidenceGone }: Listed, { base, reader, locale }: { base: string; reader: ReportReader; locale: Locale }): AcceptanceRow[] {
  const violated = new Map(rules.filter(({ category }) => category === "violations").map((rule) => [rule.ruleId, rule]));
  const rows = acceptances.map((acceptance): AcceptanceRow => {
    const { id, scope, ruleId, pageUrl, html, ended, isOver } = withoutWithheld(acceptance, withheld);
    const rule = violated.get(ruleId);
    const { elements, pages } = accepted.extent.get(id) ?? { elements: 0, pages: 0 };
    const missing = evidenceGone && scope !== "rule" && rule ? "unknown" : "notFound";
    return {
      ...acceptanceNote(acceptance, reader),
      id,
      group: ended || isOver ? "ended" : elements > 0 ? "found" : missing,
      rule: titleOf({ ruleId, help: rule?.help ?? ruleId }, "violations", locale),
      path: rule ? rulePath(base, rule) : null,
      ...{ pageUrl, html, elements, pages, ended },
      htmlCut: html !== null && html.length >= KEPT_HTML,
    };
  });
  return ACCEPTANCE_GROUPS.flatMap((group) => (group === "found" || reader === "owner" ? rows.filter((row) => row.group === group) : []));
}
