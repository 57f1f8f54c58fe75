import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";

export interface InstallationFactsView {
  counts: Record<"running" | "waiting" | "failed", number>;
  /** `backup` is missing if the server makes none. A web server without a browser has `workers` instead of `scanner`. */
  health: { database: "ok" | "failed"; scanner?: "ok" | "failed"; workers?: number; disk: "ok" | "low" | "failed"; backup?: "ok" | "failed" };
  /** Name and version, such as `Rampe 0.1.0`. */
  version: string;
}

/** Amount of waiting work, and health of all parts. */
export function InstallationFacts({ counts, health, version }: InstallationFactsView) {
  const { t, i18n } = useTranslation("admin");
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <dl className="facts-list facts-list-wide">
      {(["running", "waiting", "failed"] as const).map((name) => (
        <div key={name}>
          <dt>{t(`queue.count.${name}`)}</dt>
          <dd>{number.format(counts[name])}</dd>
        </div>
      ))}
      {health.workers !== undefined && (
        <div>
          <dt>{t("health.workers")}</dt>
          <dd>{health.workers > 0 ? number.format(health.workers) : <State isGood={false}>{t("health.noWorker")}</State>}</dd>
        </div>
      )}
      {(["scanner", "database", "disk", "backup"] as const).map((part) => {
        const state = health[part];
        return (
          state && (
            <div key={part}>
              <dt>{t(`health.${part}`)}</dt>
              <dd>
                <State isGood={state === "ok"}>{t(`health.state.${state}`)}</State>
              </dd>
            </div>
          )
        );
      })}
      <div>
        <dt>{t("health.version")}</dt>
        <dd translate="no">{version}</dd>
      </div>
    </dl>
  );
}

function State({ isGood, children }: { isGood: boolean; children: string }) {
  return (
    <span className={isGood ? "state state-good" : "state state-bad"}>
      <Icon name={isGood ? "check" : "alert"} /> {children}
    </span>
  );
}
