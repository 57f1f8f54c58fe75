import { useTranslation } from "react-i18next";
import { reloadPath, type Reload } from "~/platform/http/reload";

/** Without scripts: says whether the page reloads itself, and changes it. */
export function ReloadChoice({ path, seconds, isOn }: Reload) {
  const { t } = useTranslation();
  return (
    <noscript>
      <p>
        {isOn && <>{t("reload.isOn", { seconds })} </>}
        <a href={reloadPath(path, !isOn)}>{isOn ? t("reload.off") : t("reload.on", { seconds })}</a>
      </p>
    </noscript>
  );
}
