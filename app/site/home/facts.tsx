import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";

const FACTS = ["free", "page", "standard", "visitor"] as const;

export function Facts() {
  const { t } = useTranslation("home");
  return (
    <ul className="facts">
      {FACTS.map((fact) => (
        <li key={fact}>
          <Icon name="check" />
          {t(`facts.${fact}`)}
        </li>
      ))}
    </ul>
  );
}
