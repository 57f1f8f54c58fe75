import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";

export interface InstallationFactsView {
  counts: Record<"running" | "waiting" | "failed", number>;
  health: { database: "ok" | "failed"; scanner: "ok" | "failed"; disk: "ok" | "low" | "failed" };
  /** Such as `Rampe 0.1.0`. */
  version: string;
}

/** How much there is to do, and whether all parts work. */
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
      {(["scanner", "database", "disk"] as const).map((part) => (
        <div key={part}>
          <dt>{t(`health.${part}`)}</dt>
          <dd>
            <span className={health[part] === "ok" ? "state state-good" : "state"}>
              <Icon name={health[part] === "ok" ? "check" : "alert"} /> {t(`health.state.${health[part]}`)}
            </span>
          </dd>
        </div>
      ))}
      <div>
        <dt>{t("health.version")}</dt>
        <dd translate="no">{version}</dd>
      </div>
    </dl>
  );
}
