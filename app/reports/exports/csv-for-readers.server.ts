import type { Acceptance } from "~/findings/acceptance/acceptance";
import { failureReason } from "~/findings/failure-reason";
import { elementView } from "~/findings/finding-views.server";
import { impactOnPeople } from "~/findings/rules/catalogue.server";
import { criteriaOf, criterionName, levelOf } from "~/findings/rules/criteria.server";
import { remedyOf } from "~/findings/rules/remedies.server";
import { helpOf } from "~/findings/rules/texts.server";
import { titleOf } from "~/findings/rules/titles.server";
import { clauseOf } from "~/findings/success-criteria";
import { formatCalendarDate } from "~/platform/i18n/calendar-date";
import type { Locale } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";
import { TIME_ZONE } from "~/platform/i18n/time-zone";
import { reachedElsewhere } from "~/scan/redirect";
import type { ElementResult, FindingResult, PageResult } from "~/scan/types";
import { BYTE_ORDER_MARK, csvLine, separatorOf } from "./csv-line";
import { unlisted } from "./gaps";
import { exportTexts, gapsForReaders, notesForReaders } from "./notes-for-readers.server";
import { targetText, type Assessment, type RunFacts } from "./run";

/** Columns; those for people without technical knowledge come first. */
const COLUMNS = [
  ...(["page", "result", "problem", "impact", "criterion", "level", "clause", "todo", "details"] as const),
  ...(["element", "html", "rule", "help", "help_url", "source", "reached", "linked_from"] as const),
  ...(["review", "review_reason", "reviewed_by", "reviewed_at", "accepted_until"] as const),
] as const;
type Row = Partial<Record<(typeof COLUMNS)[number], string>>;

/**
 * Table of a run in parts, one page at a time, for people: headings, values and separators of their language, with tasks in plain
 * words. One row per element, per gap, and per note about the whole run.
 */
export async function* csvForReaders(run: RunFacts, pages: AsyncIterable<PageResult>, locale: Locale): AsyncGenerator<string, void> {
  const t = exportTexts(locale);
  const common = textsOf(locale).getFixedT(null, "common");
  const reviews = textsOf(locale).getFixedT(null, "reviews");
  const line = csvLine(separatorOf(locale));
  const lines = (rows: Row[]) => rows.map((row) => line(COLUMNS.map((column) => row[column] ?? ""))).join("");
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "short", timeZone: TIME_ZONE });

  yield `${BYTE_ORDER_MARK}${line(COLUMNS.map((column) => t(`columns.${column}`)))}${lines(rowsOfRun())}`;
  for await (const page of pages) yield lines(rowsOf(page));

  function rowsOfRun(): Row[] {
    const notes = notesForReaders(run, t).map((details): Row => ({ page: run.url, result: t("result.run"), details }));
    return [...notes, ...(run.assessments ?? []).map(rowOfAssessment)];
  }

  function rowOfAssessment({ criterion, level, verdict, note, by, at }: Assessment): Row {
    return {
      ...{ page: run.url, result: t("result.criterion"), level, criterion: criterionName(criterion, locale), clause: clauseOf(criterion) ?? "" },
      ...judged(reviews(`criteria.verdict.${verdict}`), note, by, at),
    };
  }

  function judged(review: string, reason: string | null, by: string, at: number): Row {
    return { review, review_reason: reason ?? "", reviewed_by: by, reviewed_at: time.format(at) };
  }

  function accepted({ kind, lastDay, reason, by, at }: Acceptance): Row {
    return { ...judged(t("accepted", { why: t(`report:accepted.kind.${kind}`) }), reason, by, at), accepted_until: lastDay === null ? "" : formatCalendarDate(lastDay, locale) };
  }

  function rowsOf(page: PageResult): Row[] {
    const base: Row = { page: page.url, reached: reachedElsewhere(page) ?? "" };
    if (page.status === "failed") {
      const { kind, httpStatus } = failureReason({ reason: page.reason, httpStatus: page.detail.httpStatus });
      return [{ ...base, result: t("result.failed"), details: t(`report:reason.${kind}`, { httpStatus }), linked_from: page.linkedFrom ?? "" }];
    }
    const { violations, incomplete } = page.findings;
    const rows = [
      ...violations.flatMap((finding) => rowsOfFinding(finding, "violations", (element) => acceptedIn(page.url, finding, element))),
      ...incomplete.flatMap((finding) => rowsOfFinding(finding, "incomplete", (element) => reviewedIn(page.url, finding, element))),
      ...[...gapsForReaders(page, t, locale)].map(({ text, ruleId, address }): Row => ({ result: t("result.gap"), details: text, rule: ruleId, element: address })),
    ];
    return rows.length === 0 ? [{ ...base, result: t("result.nothing") }] : rows.map((row) => ({ ...base, ...row }));
  }

  function acceptedIn(pageUrl: string, rule: FindingResult, element: ElementResult | undefined): Row {
    const found = element ? run.accepted?.ofElement({ pageUrl, rule, element }) : run.accepted?.ofRule(rule);
    return found ? accepted(found) : {};
  }

  function reviewedIn(pageUrl: string, rule: FindingResult, element: ElementResult | undefined): Row {
    const review = element && run.judgementOf?.({ pageUrl, rule, element });
    return review ? judged(reviews(`answer.${review.answer}`), review.reason, review.by, review.at) : {};
  }

  /** @param byHand people's answers for an element, or for those that are not listed */
  function rowsOfFinding(finding: FindingResult, category: "violations" | "incomplete", byHand: (element?: ElementResult) => Row): Row[] {
    const { ruleId, source, tags, impact, helpUrl, elements } = finding;
    const criteria = criteriaOf(tags);
    const base: Row = {
      result: t(category === "violations" ? "result.violation" : "result.incomplete"),
      problem: titleOf(finding, category, locale).text,
      impact: impact ? common(`impact.${impact}`) : "",
      criterion: criteria.map((number) => criterionName(number, locale)).join(", "),
      level: levelOf(tags) ?? "",
      clause: criteria.flatMap((number) => clauseOf(number) ?? []).join(", "),
      todo: remedyOf(ruleId, impactOnPeople(ruleId, tags).barrier, locale).todo,
      rule: ruleId,
      help: helpOf(finding, locale).text,
      help_url: helpUrl,
      source,
    };
    const rows = elements.map((element): Row => ({
      ...base,
      impact: element.impact ? common(`impact.${element.impact}`) : "",
      element: targetText(element.target),
      html: element.html,
      details: elementView(element, locale, category)
        .fixes.flatMap(({ heading, items }) => [heading, ...items.map(({ text }) => `– ${text}`)])
        .join("\n"),
      ...byHand(element),
    }));
    const others = unlisted(finding);
    if (others === 0) return rows;
    return [...rows, { ...base, details: t(finding.withheld ? "listedInPro" : "unlisted", { count: others }), ...byHand() }];
  }
}
