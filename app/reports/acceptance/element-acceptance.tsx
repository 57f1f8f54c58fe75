import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { formatCalendarDate } from "~/platform/i18n/calendar-date";
import type { ReportReader } from "~/reports/report-view";
import { LocalTime } from "~/ui/local-time";
import { acceptPath, type AcceptanceNote } from "./acceptance-view";

interface ElementAcceptanceProps {
  base: string;
  reader: ReportReader;
  ruleId: string;
  pageId: number;
  position: number;
  acceptance: AcceptanceNote | null;
}

/** Acceptance of an element, with reason and end; for its owner, a link to accept it. */
export function ElementAcceptance({ base, reader, ruleId, pageId, position, acceptance }: ElementAcceptanceProps) {
  const { t, i18n } = useTranslation("report");
  const path = acceptPath(base, ruleId, { pageId, position });
  if (!acceptance) return reader === "owner" ? <p><Link className="button button-quiet" to={path}>{t("accepted.acceptElement")}</Link></p> : null;
  const { scope, kind, lastDay, at } = acceptance;
  return (
    <section aria-labelledby="accepted" className="given">
      <h2 id="accepted">{t("accepted.heading")}</h2>
      <p>
        <strong>{t(`accepted.kind.${kind}`)}.</strong> {t("accepted.about", { what: t(`accepted.scope.${scope}`) })}{" "}
        {lastDay === null ? t(scope === "element" ? "accepted.always" : "accepted.noEnd") : t("accepted.until", { day: formatCalendarDate(lastDay, i18n.language) })}
      </p>
      {acceptance.private && (
        <>
          <p className="typed">
            <bdi>{acceptance.private.reason}</bdi>
          </p>
          <p className="hint">
            {t("accepted.by")} <bdi>{acceptance.private.by}</bdi>, <LocalTime at={at} brief />
          </p>
        </>
      )}
      <ul className="plain-list">
        <li>
          <Link to={`${base}/accepted`}>{t("accepted.show")}</Link>
        </li>
        {reader === "owner" && (
          <li>
            <Link to={path}>{t("accepted.change")}</Link>
          </li>
        )}
      </ul>
    </section>
  );
}
