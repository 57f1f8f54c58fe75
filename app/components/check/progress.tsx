import { Link, useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { WaitingCheck } from "~/lib/check-view";

/** Where the check stands: a link asks again, and with scripts the page asks by itself. */
export function Progress({ id, host, status, ahead, pageSeconds }: WaitingCheck) {
  const { t } = useTranslation("check");
  const live = useLiveUpdates(id);

  return (
    <section className="check-page wrap">
      <h1>{t("progress.heading", { host })}</h1>
      <div role="status">
        <p className="lead">
          {status === "running"
            ? t("progress.running", { seconds: pageSeconds })
            : ahead > 0
              ? t("progress.queued", { count: ahead })
              : t("progress.next")}
        </p>
      </div>
      <div className="progress-track" aria-hidden="true" />
      <p>{live ? t("progress.live") : t("progress.manual")}</p>
      <p>
        <Link className="button" to={`/check/${id}`}>
          {t("refresh")}
        </Link>
      </p>
    </section>
  );
}

/** Asks the loader again whenever the server says that something changed. @returns whether that works here. */
function useLiveUpdates(id: string): boolean {
  const { revalidate } = useRevalidator();
  const [live, setLive] = useState(false);

  useEffect(() => {
    const source = new EventSource(`/check/${id}/events`);
    source.onopen = () => setLive(true);
    source.onmessage = () => revalidate();
    source.onerror = () => setLive(false);
    return () => source.close();
  }, [id, revalidate]);

  return live;
}
