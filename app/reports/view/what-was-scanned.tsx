import { useTranslation } from "react-i18next";
import { formatSeconds } from "~/platform/i18n/format-duration";
import { LocalTime } from "~/ui/local-time";
import { AdvancedState } from "./advanced-state";
import { PageAddress } from "~/findings/view/page-address";
import type { ReportHead, ReportOverview } from "~/reports/report-view";

/** Subject, time and method of the scan. */
export function WhatWasScanned({ head, engine, advanced, expiresAt, durationMs, maxPages, excludedPaths, waitMs, waitFor }: ReportOverview["checked"] & { head: ReportHead }) {
  const { t, i18n } = useTranslation(["report", "runs", "common"]);
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 0 });
  return (
    <section aria-labelledby="checked">
      <h2 id="checked">{t("checked.heading")}</h2>
      <dl className="facts-list">
        <div>
          <dt>{t("checked.address")}</dt>
          <dd>
            <PageAddress url={head.url} reached={head.reached} />
          </dd>
        </div>
        <div>
          <dt>{t("checked.scope")}</dt>
          <dd>{t(`runs:scope.${head.scope}`)}</dd>
        </div>
        <div>
          <dt>{t("checked.pages")}</dt>
          <dd>
            {number.format(head.pages - head.failedPages)}
            {maxPages !== null && ` ${t("checked.ofAtMost", { count: maxPages })}`}
          </dd>
        </div>
        {excludedPaths.length > 0 && (
          <div>
            <dt>{t("checked.excludedPaths")}</dt>
            <dd>
              {excludedPaths.map((path) => (
                <div key={path}>
                  <code dir="ltr" translate="no">
                    {path}
                  </code>
                </div>
              ))}
            </dd>
          </div>
        )}
        {(waitMs !== null || waitFor !== null) && (
          <div>
            <dt>{t("checked.waited")}</dt>
            <dd>
              {waitMs !== null && <div>{t("checked.waitMs", { value: number.format(waitMs) })}</div>}
              {waitFor !== null && (
                <div>
                  {t("checked.waitFor")}{" "}
                  <code dir="ltr" translate="no">
                    {waitFor}
                  </code>
                </div>
              )}
            </dd>
          </div>
        )}
        <div>
          <dt>{t("checked.time")}</dt>
          <dd>
            <LocalTime at={head.finishedAt ?? head.createdAt} />
          </dd>
        </div>
        {durationMs !== null && (
          <div>
            <dt>{t("checked.duration")}</dt>
            <dd>{formatSeconds(Math.max(1, durationMs / 1_000), i18n.language, 0)}</dd>
          </div>
        )}
        <div>
          <dt>{t("checked.standard")}</dt>
          <dd>{head.inPart ? `${head.standard}: ${t("inPart")}` : head.standard}</dd>
        </div>
        <div>
          <dt>{t("checked.engine")}</dt>
          <dd>{engine}</dd>
        </div>
        {advanced !== null && (
          <div>
            <dt>{t("common:advanced.heading")}</dt>
            <dd>
              <AdvancedState {...advanced} />
            </dd>
          </div>
        )}
        {head.reader !== "sample" && (
          <div>
            <dt>{t("checked.expires")}</dt>
            <dd>
              <LocalTime at={expiresAt} dateOnly />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
