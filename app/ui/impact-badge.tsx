import { useTranslation } from "react-i18next";
import type { Impact } from "~/scan/types";
import { Icon } from "./icon";

/** Impact of a problem on people, as a word, a shape and a colour. */
export function ImpactBadge({ impact }: { impact: Impact | null }) {
  const { t } = useTranslation();
  return (
    <span className={`impact impact-${impact ?? "none"}`}>
      <Icon name={impact ?? "minor"} size={16} />
      {t(`impact.${impact ?? "none"}`)}
    </span>
  );
}
