import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { EXPORT_FORMATS, exportFormats } from "~/reports/exports/formats";
import { Icon } from "~/ui/icon";

interface ReportActionsProps {
  /** Path of the report. */
  base: string;
  /** Id of the run. */
  id: string;
}

/** Actions of the owner on a report: export, share, repeat, compare, draft a statement. Only links, so that all work without scripts. */
export function ReportActions({ base, id }: ReportActionsProps) {
  const { t } = useTranslation("report");
  return (
    <nav className="report-actions" aria-label={t("actions.label")}>
      {/* On small screens a menu; on others, style sheets open it. */}
      <details className="actions-menu">
        <summary>
          <Icon name="menu" size={18} />
          {t("actions.menu")}
        </summary>
        <ul className="actions-list">
          <li>
            <details className="export-menu">
              <summary>{t("actions.export")}</summary>
              <ul className="plain-list">
                {exportFormats.map((format) => (
                  <li key={format}>
                    {/* A file: client-side routing must not fetch it as a page. */}
                    <Link reloadDocument to={`${base}/export.${format}`}>
                      {t(`passOn.${EXPORT_FORMATS[format].label}.name`)}
                    </Link>
                    <div className="hint">{t(`passOn.${EXPORT_FORMATS[format].label}.hint`)}</div>
                  </li>
                ))}
              </ul>
            </details>
          </li>
          <li>
            <Link to={`${base}/share`}>{t("actions.share")}</Link>
          </li>
          <li>
            <Link to={`/runs/new?again=${id}`}>{t("actions.newRun")}</Link>
          </li>
          <li>
            <Link to={`${base}/schedule`}>{t("actions.schedule")}</Link>
          </li>
          <li>
            <Link to={`${base}/changes`}>{t("actions.compare")}</Link>
          </li>
          <li>
            <Link to={`${base}/statement`}>{t("actions.statement")}</Link>
          </li>
        </ul>
      </details>
    </nav>
  );
}
