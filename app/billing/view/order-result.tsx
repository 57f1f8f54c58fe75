import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";

interface OrderResultProps {
  /** Null if no longer sold. */
  plan: "basic" | "pro" | null;
  rhythm: "month" | "once" | null;
  /** Website of the purchase. */
  site: { url: string; host: string; registered: boolean } | null;
  /** Result that led to the purchase, now in full. */
  report: { path: string; page: string } | null;
  /** Scan of the website, and the text about its state. */
  scan: { path: string; state: "text" | "over" | "failed" } | null;
  /** Whether no scan was started, because the stored credentials can no longer be decrypted. */
  accessLost: boolean;
  /** Whether the result that led to the purchase is lost. */
  lostCheck: boolean;
  /** Whether website, report and scan are ready. */
  fulfilled: boolean;
  /** Whether the buyer's address is not confirmed yet. */
  toConfirm: boolean;
  /** Path of this page. */
  again: string;
}

/** The user's purchase, with links to it. */
export function OrderResult({ plan, rhythm, site, report, scan, accessLost, lostCheck, fulfilled, toConfirm, again }: OrderResultProps) {
  const { t } = useTranslation("billing");
  const { t: home } = useTranslation("home");
  const host = site?.host;
  const name = plan && home(`pricing.${plan}.name`);
  return (
    <>
      <p className="lead">
        {name && rhythm ? t(`done.bought.${rhythm}`, { plan: name }) : t("done.paid.text")} {site?.registered && t("done.bought.for", { host })}
      </p>
      {!fulfilled && (
        <p className="notice">
          <Icon name="alert" />
          <span>
            {t("done.bought.soon")} <a href={again}>{t("done.again")}</a>
          </span>
        </p>
      )}
      {lostCheck && <p>{t("done.lostCheck")}</p>}
      {report && (
        <section className="next-step" aria-labelledby="report">
          <h2 id="report">{t("done.report.heading")}</h2>
          <p>{t("done.report.text", { page: report.page })}</p>
          <Link className="button" to={report.path}>
            {t("done.report.open")}
          </Link>
        </section>
      )}
      {scan && (
        <section className="next-step" aria-labelledby="scan">
          <h2 id="scan">{t("done.scan.heading")}</h2>
          <p>{t(`done.scan.${scan.state}`, { host })}</p>
          <p className="button-row">
            <Link className={report ? "button button-quiet" : "button"} to={scan.path}>
              {t(OPEN[scan.state])}
            </Link>{" "}
            {scan.state === "failed" && site && (
              <Link className="button button-quiet" to={newScan(site.url)}>
                {t("done.scan.again")}
              </Link>
            )}
          </p>
        </section>
      )}
      {fulfilled && !scan && (
        <section className="next-step" aria-labelledby="scan">
          <h2 id="scan">{t("done.scan.heading")}</h2>
          <p>{t(accessLost ? "done.scan.accessLost" : host ? "done.scan.startFor" : "done.scan.startText", { host })}</p>
          <Link className={report ? "button button-quiet" : "button"} to={site ? newScan(site.url) : "/runs/new"}>
            {t("done.scan.start")}
          </Link>
        </section>
      )}
      {toConfirm && (
        <p className="hint">
          {t("done.confirm")} <Link to="/account/verify">{t("done.confirmLink")}</Link>
        </p>
      )}
    </>
  );
}

const OPEN = { text: "done.scan.open", over: "done.scan.openOver", failed: "done.scan.openFailed" } as const;

const newScan = (url: string) => `/runs/new?url=${encodeURIComponent(url)}`;
