import { useTranslation } from "react-i18next";
import type { Release } from "~/administration/release.server";
import { Icon } from "~/ui/icon";

/** The version of this installation, and a newer one if there is one. */
export function VersionNotice({ version, newer }: { version: string; newer: Release | null }) {
  const { t } = useTranslation("admin");
  return (
    <p className="prose-line">
      {t("settings.version", { version })}
      {newer && (
        <>
          {" "}
          {t("settings.newer")}{" "}
          <a href={newer.url} rel="noreferrer">
            {t("settings.newerVersion", { version: newer.version })}
            <Icon name="external" size={16} />
          </a>
        </>
      )}
    </p>
  );
}
