import { useTranslation } from "react-i18next";

interface StatisticsProps {
  /** Websites scanned successfully in the last 30 days. */
  last30days: number;
  /** Violating elements per website; null while there are none to average. */
  avgErrorsPerSite: number | null;
}

export function Statistics({ last30days, avgErrorsPerSite }: StatisticsProps) {
  const { t, i18n } = useTranslation("home");
  return (
    <section className="band band-raised" aria-labelledby="statistics">
      <div className="wrap">
        <h2 id="statistics">{t("statistics.heading")}</h2>
        {last30days === 0 || avgErrorsPerSite === null ? (
          <p className="lead">{t("statistics.empty")}</p>
        ) : (
          <>
            <dl className="figures">
              <Figure label={t("statistics.last30days", { count: last30days })} value={last30days.toLocaleString(i18n.language)} />
              <Figure
                label={t("statistics.avgErrorsPerSite")}
                value={avgErrorsPerSite.toLocaleString(i18n.language, { maximumFractionDigits: 1 })}
              />
            </dl>
            <p className="hint">{t("statistics.definition")}</p>
          </>
        )}
      </div>
    </section>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
