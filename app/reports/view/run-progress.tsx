import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { CalmStatus } from "~/ui/calm-status";
import { LocalTime } from "~/ui/local-time";
import { LocalizedText } from "~/ui/localized-text";
import { useLiveUpdates } from "~/ui/use-live-updates";
import { ReloadChoice } from "~/ui/reload-choice";
import { reloadPath, type Reload } from "~/platform/http/reload";
import type { WaitingRun } from "~/reports/report-view";

interface RunProgressProps extends WaitingRun {
  /** Whether no worker is running. */
  unattended: boolean;
  reload: Reload;
}

/** Progress of a run: a link reloads it; with scripts, the page updates automatically. */
export function RunProgressView({ reload, unattended, ...run }: RunProgressProps) {
  const { t } = useTranslation(["report", "check"]);
  const live = useLiveUpdates(`/run/${run.id}/events`);
  const { id, host, scope, status, ahead, heldBack, pages, failedPages, knownPages, expectedEnd, minutesLeft } = run;
  const counts = status === "running" && scope === "site" ? t("progress.counts", { done: pages, count: knownPages, failed: failedPages }) : null;
  const left = minutesLeft === null ? null : minutesLeft === 0 ? t("progress.lessThanAMinute") : t("progress.minutesLeft", { count: minutesLeft });
  const state =
    status === "running"
      ? t(`progress.running.${scope}`, { seconds: run.pageSeconds })
      : heldBack
        ? t("progress.heldBack")
        : ahead > 0
          ? t("progress.queued", { count: ahead })
          : t("progress.next");

  return (
    <section className="report wrap">
      <h1>{t("progress.heading", { host })}</h1>
      <p className="lead">{state}</p>
      {unattended && <p>{t("check:progress.unattended")}</p>}
      {counts !== null && (
        <>
          <p>{counts}</p>
          <ProgressBar done={pages} known={knownPages} />
        </>
      )}
      <CalmStatus text={[state, counts, left].filter(Boolean).join(" ")} />
      {expectedEnd !== null && (
        <p>
          {left} {t("progress.expectedEnd")} <LocalTime at={expectedEnd} brief />
        </p>
      )}
      <p>{t("progress.mayClose")}</p>
      <MailWhenDone {...run} reload={reload} />
      {(live || !reload.isOn) && <p className="hint">{live ? t("progress.live") : t("progress.manual")}</p>}
      <ReloadChoice {...reload} />
      <div className="button-row">
        <Link className="button" to={reloadPath(reload.path, reload.isOn)}>
          {t("progress.refresh")}
        </Link>
        <Form method="post" action={`/run/${id}/cancel`}>
          <button className="button button-quiet" type="submit">
            {t("progress.cancel")}
          </button>
        </Form>
      </div>
      <p className="hint">{t("progress.cancelHint")}</p>
      <SoFar {...run} />
    </section>
  );
}

function MailWhenDone({ id, mail, reload }: WaitingRun & { reload: Reload }) {
  const { t } = useTranslation("report");
  if (!mail) return null;
  return (
    <Form method="post" action={reloadPath(`/run/${id}/mail`, reload.isOn)}>
      <p>{mail.wanted ? t(mail.confirmed ? "progress.mailComes" : "progress.mailUnconfirmed", { email: mail.email }) : t("progress.noMail")}</p>
      <button className="button button-quiet" type="submit" name="mail" value={mail.wanted ? "no" : "yes"}>
        {mail.wanted ? t("progress.mailOff") : t("progress.mailOn")}
      </button>
    </Form>
  );
}

/** First findings, while the rest of the website is checked. */
function SoFar({ soFar }: WaitingRun) {
  const { t } = useTranslation("report");
  if (soFar.length === 0) return null;
  return (
    <section aria-labelledby="so-far">
      <h2 id="so-far">{t("progress.soFar")}</h2>
      <ul>
        {soFar.map(({ ruleId, title, elements, pages }) => (
          <li key={ruleId}>
            <LocalizedText {...title} />: {t("progress.soFarCounts", { elements, pages })}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Decorative: the text above has the same content. */
function ProgressBar({ done, known }: { done: number; known: number }) {
  return (
    <svg className="progress-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect className="progress-rest" width="100" height="4" />
      <rect className="progress-done" width={known > 0 ? Math.min(100, (done / known) * 100) : 0} height="4" />
    </svg>
  );
}
