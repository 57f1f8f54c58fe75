import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { DialogLink } from "~/ui/dialog/dialog-link";
import { DeleteRuns } from "~/runs/view/delete-runs";
import { EXPORT_FORMATS, exportFormats } from "~/reports/exports/formats";
import { NewRun } from "~/runs/view/new-run";

/** Links to pass a report on to the people who fix the problems, and to scan again. */
export function ExportAndShare({ id }: { id: string }) {
  const { t } = useTranslation("report");
  return (
    <section aria-labelledby="pass-on" className="next-step">
      <h2 id="pass-on">{t("passOn.heading")}</h2>
      <ul className="plain-list">
        {exportFormats.map((format) => (
          <li key={format}>
            {/* A file: client-side routing must not fetch it as a page. */}
            <Link reloadDocument to={`/run/${id}/export.${format}`}>
              {t(`passOn.${EXPORT_FORMATS[format].label}.name`)}
            </Link>
            <div className="hint">{t(`passOn.${EXPORT_FORMATS[format].label}.hint`)}</div>
          </li>
        ))}
      </ul>
      <p>
        <Link className="target" to={`/run/${id}/share`}>
          {t("passOn.share")}
        </Link>
      </p>
      <p>
        <Link className="target" to={`/run/${id}/statement`}>
          {t("passOn.statement")}
        </Link>
      </p>
      <h3>{t("passOn.again")}</h3>
      <p>
        <Link className="target" to={`/run/${id}/schedule`}>
          {t("passOn.schedule")}
        </Link>
      </p>
      <p className="button-row">
        <DialogLink className="button" to={`/runs/new?again=${id}`} view={NewRun}>
          {t("passOn.newRun")}
        </DialogLink>
        <DialogLink className="button button-quiet" to={`/runs/delete?run=${id}`} view={DeleteRuns}>
          {t("passOn.delete")}
        </DialogLink>
      </p>
    </section>
  );
}
