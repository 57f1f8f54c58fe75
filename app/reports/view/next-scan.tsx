import { useTranslation } from "react-i18next";
import { DialogLink } from "~/ui/dialog/dialog-link";
import { DeleteRuns } from "~/runs/view/delete-runs";
import { NewRun } from "~/runs/view/new-run";

/** Last part of an overview: the next step after the problems are solved. @param id of the run */
export function NextScan({ id }: { id: string }) {
  const { t } = useTranslation("report");
  return (
    <section aria-labelledby="next-scan" className="next-step">
      <h2 id="next-scan">{t("passOn.again")}</h2>
      <p className="button-row">
        <DialogLink className="button" to={`/runs/new?again=${id}`} view={NewRun}>
          {t("passOn.newRun")}
        </DialogLink>{" "}
        <DialogLink className="button button-quiet" to={`/runs/delete?run=${id}`} view={DeleteRuns}>
          {t("passOn.delete")}
        </DialogLink>
      </p>
    </section>
  );
}
