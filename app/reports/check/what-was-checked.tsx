import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { FinishedCheck } from "~/findings/check-view";
import { AdvancedState } from "~/reports/view/advanced-state";
import { AddressNotes } from "~/findings/view/page-address";
import { formatSeconds } from "~/platform/i18n/format-duration";
import { LocalTime } from "~/ui/local-time";

type WhatWasCheckedProps = FinishedCheck["checked"] & Pick<FinishedCheck, "url" | "reached">;

/** Address, time, standard and engine: the data needed to repeat the check. */
export function WhatWasChecked(checked: WhatWasCheckedProps) {
  const { t, i18n } = useTranslation(["check", "common"]);

  return (
    <section aria-labelledby="checked">
      <h2 id="checked">{t("checked.heading")}</h2>
      <dl className="facts-list">
        <Row term={t("checked.address")}>
          <a className="address" href={checked.url} rel="nofollow noreferrer">
            {checked.url}
          </a>
          <AddressNotes reached={checked.reached} />
        </Row>
        <Row term={t("checked.pageTitle")}>
          {checked.title ? (
            <span dir="auto" lang={checked.titleLang || undefined}>
              {checked.title}
            </span>
          ) : (
            t("checked.noTitle")
          )}
        </Row>
        <Row term={t("checked.time")}>
          <LocalTime at={checked.at} />
        </Row>
        <Row term={t("checked.duration")}>{formatSeconds(checked.durationMs / 1_000, i18n.language, 1)}</Row>
        <Row term={t("checked.standard")}>{checked.standard}</Row>
        <Row term={t("checked.engine")}>{checked.engine}</Row>
        {checked.advanced && (
          <Row term={t("common:advanced.heading")}>
            <AdvancedState {...checked.advanced} />
          </Row>
        )}
        <Row term={t("checked.expires")}>
          <LocalTime at={checked.expiresAt} dateOnly />
        </Row>
      </dl>
    </section>
  );
}

function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
