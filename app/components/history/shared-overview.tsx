import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { AtAGlance } from "~/components/check/at-a-glance";
import { NotLookedAt } from "~/components/report/not-looked-at";
import { RuleItem } from "~/components/report/rule-item";
import { WhatWasScanned } from "~/components/report/what-was-scanned";
import type { ReportHead, ReportOverview } from "~/lib/report-view";

/** The first page of a shared report: how it stands, what to do first, and what nobody has looked at. */
export function SharedOverview({ base, head, ...report }: ReportOverview & { base: string; head: ReportHead }) {
  const { t } = useTranslation(["report", "check"]);
  const { counts, pages, failedPages } = head;
  return (
    <>
      <h1>{t("overview.heading")}</h1>
      <p className="lead">
        {counts.violations === 0
          ? t("overview.none", { count: pages - failedPages })
          : t("overview.summary", {
              rules: t("check:result.violatedRules", { count: counts.violations }),
              elements: t("check:result.elementsDative", { count: report.elements }),
              pages: t("overview.onPages", { count: pages - failedPages }),
            })}
        {failedPages > 0 && ` ${t("overview.notChecked", { count: failedPages })}`}
      </p>
      {report.first.length > 0 && (
        <section aria-labelledby="first">
          <h2 id="first">{t("overview.first")}</h2>
          <p className="prose-line">{t("overview.firstHint")}</p>
          <ol className="first-steps">
            {report.first.map((rule) => (
              <li key={rule.ruleId}>
                <RuleItem rule={rule} to={`${base}/violations/${encodeURIComponent(rule.ruleId)}`} />
              </li>
            ))}
          </ol>
          {counts.violations > report.first.length && (
            <p>
              <Link to={`${base}/violations`}>{t("overview.allViolations", { count: counts.violations })}</Link>
            </p>
          )}
        </section>
      )}
      <div className="overview">
        <AtAGlance counts={counts} impacts={report.impacts} />
        <WhatWasScanned head={head} {...report.checked} />
      </div>
      {failedPages > 0 && (
        <section aria-labelledby="failed-pages">
          <h2 id="failed-pages">{t("failedPages.heading", { count: failedPages })}</h2>
          <p className="prose-line">{t("failedPages.text")}</p>
          <ul className="plain-list">
            {report.failed.map(({ id, url, reason }) => (
              <li key={id}>
                <span className="address">{url}</span>
                <br />
                <span className="hint">{t(`reason.${reason}`)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <NotLookedAt gaps={report.gaps} crawl={report.crawl} />
      <section aria-labelledby="limits" className="prose">
        <h2 id="limits">{t("check:limits.heading")}</h2>
        <p>{t("check:limits.text")}</p>
        <ul>
          {t("check:limits.questions", { returnObjects: true }).map((question) => (
            <li key={question}>{question}</li>
          ))}
        </ul>
      </section>
    </>
  );
}
