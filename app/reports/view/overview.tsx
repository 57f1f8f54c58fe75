import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { AcceptedNotice } from "~/reports/acceptance/accepted-notice";
import { AtAGlance } from "~/reports/check/at-a-glance";
import { Icon } from "~/ui/icon";
import { choicePath } from "~/billing/plans/choice";
import { PagePicture } from "~/reports/page-picture/page-picture";
import type { PagePictureView } from "~/reports/page-picture/view";
import { rulePath, type ReportHead, type ReportOverview } from "~/reports/report-view";
import { FailedPages } from "./failed-pages";
import { CoverageGaps } from "./coverage-gaps";
import { ReportHeading } from "./head/report-heading";
import { RuleItem } from "./rule-item";
import { WhatWasScanned } from "./what-was-scanned";

interface OverviewProps extends ReportOverview {
  head: ReportHead;
  /** Null if no picture is stored. */
  picture: PagePictureView | null;
  /** Actions for the reader. */
  children?: ReactNode;
}

/** First page of a report: result, rules to fix first, and unchecked parts. */
export function Overview({ head, picture, children, ...report }: OverviewProps) {
  const { t } = useTranslation(["report", "check"]);
  const { base, counts, pages, failedPages, status } = head;
  const checked = pages - failedPages;
  return (
    <>
      <ReportHeading host={head.host}>{t("overview.heading")}</ReportHeading>
      <p className="lead">
        {checked === 0
          ? t("overview.nothingChecked")
          : counts.violations === 0
            ? head.accepted > 0
              ? t("accepted.noneOpen", { count: head.accepted })
              : t("overview.none", { count: checked })
            : t("overview.summary", {
                rules: t("check:result.violatedRules", { count: counts.violations }),
                elements: t("check:result.elementsDative", { count: report.elements }),
                pages: t("overview.onPages", { count: checked }),
              })}
        {failedPages > 0 && ` ${t("overview.notChecked", { count: failedPages })}`}
        {report.partly > 0 && ` ${t("category.partly", { count: report.partly })}`}
      </p>
      {counts.violations > 0 ? (
        <AcceptedNotice base={base} count={head.accepted} />
      ) : (
        head.accepted > 0 && (
          <p>
            <Link to={`${base}/accepted`}>{t("accepted.show")}</Link>
          </p>
        )
      )}
      {head.locked > 0 && (
        <p className="notice">
          <Icon name="lock" />
          <span>
            {t("inPro.overview", { count: head.locked })}{" "}
            {head.reader === "owner" && <Link to={choicePath("/setup", { plan: "pro", url: head.url })}>{t("inPro.plans")}</Link>}
          </span>
        </p>
      )}
      {status === "canceled" && <p className="notice">{t("overview.canceled")}</p>}
      {status === "failed" && checked > 0 && <p className="notice">{t("overview.brokenOff")}</p>}
      {report.first.length > 0 && (
        <section aria-labelledby="first">
          <h2 id="first">{t("overview.first")}</h2>
          <ol className="first-steps">
            {report.first.map((rule) => (
              <li key={rule.ruleId}>
                <RuleItem rule={rule} to={rulePath(base, rule)} barrier={rule.barrier} />
              </li>
            ))}
          </ol>
          <p className="prose-line">{t("overview.firstHint")}</p>
          {counts.violations > report.first.length && (
            <p>
              <Link to={`${base}/violations`}>{t("overview.allViolations", { count: counts.violations })}</Link>
            </p>
          )}
        </section>
      )}
      {picture && <PagePicture {...picture} />}
      <div className="overview">
        {checked > 0 && <AtAGlance counts={counts} impacts={report.impacts} />}
        <WhatWasScanned head={head} {...report.checked} />
      </div>
      <FailedPages {...head} pages={report.failed} hasSignIn={report.hasSignIn} total={failedPages} />
      <CoverageGaps gaps={report.gaps} crawl={report.crawl} inUse={report.checked.advanced?.ran ?? false} />
      <section aria-labelledby="limits" className="prose">
        <h2 id="limits">{t("check:limits.heading")}</h2>
        <p>{t("check:limits.text")}</p>
        <ul>
          {t("check:limits.questions", { returnObjects: true }).map((question) => (
            <li key={question}>{question}</li>
          ))}
        </ul>
        <p>
          <Link to={`${base}/criteria`}>{t("overview.criteria")}</Link>
        </p>
      </section>
      {children}
    </>
  );
}
