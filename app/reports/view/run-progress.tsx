import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { LocalTime } from "~/ui/local-time";
import { useLiveUpdates } from "~/ui/use-live-updates";
import type { RunProgress } from "~/reports/report-view";

/** Progress of a run: a link reloads it; with scripts, the page updates automatically. */
export function RunProgressView(run: RunProgress) {
  const { t } = useTranslation("report");
  const live = useLiveUpdates(`/run/${run.id}/events`);
  const { id, host, scope, status, ahead, heldBack, pages, failedPages, knownPages, expectedEnd, pageSeconds } = run;
  const counts = status === "running" && scope === "site";

  return (
    <section className="report wrap">
      <h1>{t("progress.heading", { host })}</h1>
      <div role="status">
        <p className="lead">
          {status === "running"
            ? t(`progress.running.${scope}`, { seconds: pageSeconds })
            : heldBack
              ? t("progress.heldBack")
              : ahead > 0
                ? t("progress.queued", { count: ahead })
                : t("progress.next")}
        </p>
        {counts && <p>{t("progress.counts", { done: pages, known: knownPages, failed: failedPages })}</p>}
      </div>
      {counts && <ProgressBar done={pages} known={knownPages} />}
      {expectedEnd !== null && (
        <p>
          {t("progress.expectedEnd")} <LocalTime at={expectedEnd} brief />
        </p>
      )}
      <p className="hint">{live ? t("progress.live") : t("progress.manual")}</p>
      <div className="button-row">
        <Link className="button" to={`/run/${id}`}>
          {t("progress.refresh")}
        </Link>
        <Form method="post" action={`/run/${id}/cancel`}>
          <button className="button button-quiet" type="submit">
            {t("progress.cancel")}
          </button>
        </Form>
      </div>
      <p className="hint">{t("progress.cancelHint")}</p>
    </section>
  );
}

/** Decorative: the text above says the same. */
function ProgressBar({ done, known }: { done: number; known: number }) {
  return (
    <svg className="progress-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect className="progress-rest" width="100" height="4" />
      <rect className="progress-done" width={known > 0 ? Math.min(100, (done / known) * 100) : 0} height="4" />
    </svg>
  );
}
