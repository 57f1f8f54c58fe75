import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { AtAGlance } from "~/components/check/at-a-glance";
import { rulePath, type ReportHead, type ReportOverview } from "~/lib/report-view";
import { FailedPages } from "./failed-pages";
import { NotLookedAt } from "./not-looked-at";
import { PassOn } from "./pass-on";
import { RuleItem } from "./rule-item";
import { WhatWasScanned } from "./what-was-scanned";

/** The first page of a report: how it stands, what to do first, and what nobody has looked at. */
export function Overview({ head, ...report }: ReportOverview & { head: ReportHead }) {
  const { t } = useTranslation(["report", "check"]);
  const { id, counts, pages, failedPages, status } = head;
  const checked = pages - failedPages;
  return (
    <>
      <h1>{t("overview.heading")}</h1>
      <p className="lead">
        {checked === 0
          ? t("overview.nothingChecked")
          : counts.violations === 0
            ? t("overview.none", { count: checked })
            : t("overview.summary", {
                rules: t("check:result.violatedRules", { count: counts.violations }),
                elements: t("check:result.elementsDative", { count: report.elements }),
                pages: t("overview.onPages", { count: checked }),
              })}
        {failedPages > 0 && ` ${t("overview.notChecked", { count: failedPages })}`}
      </p>
      {status === "canceled" && <p className="notice">{t("overview.canceled")}</p>}
      {report.first.length > 0 && (
        <section aria-labelledby="first">
          <h2 id="first">{t("overview.first")}</h2>
          <p className="prose-line">{t("overview.firstHint")}</p>
          <ol className="first-steps">
            {report.first.map((rule) => (
              <li key={rule.ruleId}>
                <RuleItem rule={rule} to={rulePath(id, rule)} barrier={rule.barrier} />
              </li>
            ))}
          </ol>
          {counts.violations > report.first.length && (
            <p>
              <Link to={`/run/${id}/violations`}>{t("overview.allViolations", { count: counts.violations })}</Link>
            </p>
          )}
        </section>
      )}
      <div className="overview">
        <AtAGlance counts={counts} impacts={report.impacts} />
        <WhatWasScanned head={head} {...report.checked} />
      </div>
      <FailedPages runId={id} pages={report.failed} total={failedPages} />
      <NotLookedAt gaps={report.gaps} crawl={report.crawl} />
      <section aria-labelledby="limits" className="prose">
        <h2 id="limits">{t("check:limits.heading")}</h2>
        <p>{t("check:limits.text")}</p>
        <ul>
          {t("check:limits.questions", { returnObjects: true }).map((question) => (
            <li key={question}>{question}</li>
          ))}
        </ul>
        <p>
          <Link to={`/run/${id}/criteria`}>{t("overview.criteria")}</Link>
        </p>
      </section>
      <PassOn id={id} url={head.url} />
    </>
  );
}
