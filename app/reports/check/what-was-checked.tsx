import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { FinishedCheck } from "~/findings/check-view";
import { AddressNotes } from "~/findings/view/page-address";
import { LocalTime } from "~/ui/local-time";

type WhatWasCheckedProps = FinishedCheck["checked"] & Pick<FinishedCheck, "url" | "reached">;

/** Address, time, standard and engine: the data needed to repeat the check. */
export function WhatWasChecked(checked: WhatWasCheckedProps) {
  const { t, i18n } = useTranslation("check");
  const seconds = (checked.durationMs / 1000).toLocaleString(i18n.language, { maximumFractionDigits: 1 });

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
        <Row term={t("checked.duration")}>{t("checked.seconds", { value: seconds })}</Row>
        <Row term={t("checked.standard")}>{checked.standard}</Row>
        <Row term={t("checked.engine")}>{checked.engine}</Row>
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
