import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { WaitingCheck } from "~/findings/check-view";
import { reloadPath, type Reload } from "~/platform/http/reload";
import { CalmStatus } from "~/ui/calm-status";
import { ReloadChoice } from "~/ui/reload-choice";
import { useLiveUpdates } from "~/ui/use-live-updates";

interface ProgressProps extends WaitingCheck {
  /** Whether no worker is running. */
  unattended: boolean;
  reload: Reload;
}

/** Progress of the check: a link reloads it; with scripts, the page updates automatically. */
export function Progress({ id, host, status, ahead, pageSeconds, unattended, reload }: ProgressProps) {
  const { t } = useTranslation("check");
  const live = useLiveUpdates(`/check/${id}/events`);
  const state = status === "running" ? t("progress.running", { seconds: pageSeconds }) : ahead > 0 ? t("progress.queued", { count: ahead }) : t("progress.next");

  return (
    <section className="check-page wrap">
      <h1>{t("progress.heading", { host })}</h1>
      <p className="lead">{state}</p>
      {unattended && <p>{t("progress.unattended")}</p>}
      <CalmStatus text={state} />
      <div className="progress-track" aria-hidden="true" />
      <p>
        {live ? (
          t("progress.live")
        ) : (
          <>
            {!reload.isOn && t("progress.manual")} {t("progress.later")}
          </>
        )}
      </p>
      <ReloadChoice {...reload} />
      <p>
        <Link className="button" to={reloadPath(reload.path, reload.isOn)}>
          {t("refresh")}
        </Link>
      </p>
    </section>
  );
}
