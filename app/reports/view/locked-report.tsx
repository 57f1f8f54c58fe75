import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { choicePath } from "~/billing/plans/choice";
import { RuleList } from "~/reports/check/rule-list";
import { Violation } from "~/reports/check/violation";
import { Icon } from "~/ui/icon";
import type { LockedReport, ReportHead } from "~/reports/report-view";
import { ReportHeading } from "./head/report-heading";

/** A locked report: the first rules in full, and an overview of the others. */
export function LockedReportView({ id, head, violations, locked, incomplete, isWhole }: LockedReport & { id: string; head: ReportHead }) {
  const { t } = useTranslation(["report", "check"]);
  const { base, counts, pages, failedPages } = head;
  if (pages === failedPages) {
    return (
      <>
        <ReportHeading host={head.host}>{t("locked.heading")}</ReportHeading>
        <p className="lead">{t("overview.nothingChecked")}</p>
        <Link className="button" to={`/runs/new?again=${id}`}>
          {t("failure.again")}
        </Link>
      </>
    );
  }
  const total = violations.length + locked.length;
  return (
    <>
      <ReportHeading host={head.host}>{t("locked.heading")}</ReportHeading>
      <p className="lead">{total === 0 && !isWhole ? t("locked.noneSoFar") : t("locked.lead", { count: total })}</p>
      <section className="next-step" aria-labelledby="unlock">
        <h2 id="unlock">
          <Icon name="lock" /> {t("locked.unlockHeading")}
        </h2>
        <p>{t("locked.unlockText")}</p>
        <Form method="post" action={`${base}/unlock`}>
          <button className="button" type="submit">
            {t("locked.unlock")}
          </button>
        </Form>
        <p className="hint">
          {t("locked.plansHint")} <Link to={choicePath("/setup", { url: head.url, check: id })}>{t("locked.plans")}</Link>
        </p>
      </section>
      <section aria-labelledby="violations">
        <h2 id="violations">{t("locked.violations")}</h2>
        <p className="prose-line">
          {total === 0 ? t(isWhole ? "check:violations.none" : "category.emptySoFar") : t("locked.preview", { shown: violations.length, count: total })}
        </p>
        {violations.map((violation) => (
          <Violation key={violation.ruleId} {...violation} />
        ))}
      </section>
      {locked.length > 0 && (
        <section aria-labelledby="more">
          <h2 id="more">{t("locked.more")}</h2>
          <RuleList rules={locked} category="violations" locked />
        </section>
      )}
      {counts.incomplete > 0 && (
        <section aria-labelledby="incomplete">
          <h2 id="incomplete">{t("part.incomplete")}</h2>
          <RuleList rules={incomplete} category="incomplete" locked />
        </section>
      )}
    </>
  );
}
