import { useTranslation } from "react-i18next";
import type { RuleView } from "~/findings/check-view";
import { EnlargeablePicture } from "~/ui/enlargeable-picture";
import { Icon } from "~/ui/icon";
import { LocalizedText } from "~/ui/localized-text";
import type { Category } from "~/scan/types";
import { RuleFacts } from "./rule-facts";

/** Rules by name, impact and number of elements, without their details. */
export function RuleList({ rules, category, locked = false }: { rules: (RuleView & { picture?: string | null })[]; category: Category; locked?: boolean }) {
  const { t } = useTranslation("check");
  if (rules.length === 0) return null;
  return (
    <ul className="rule-list">
      {rules.map(({ ruleId, title, impact, elementCount, criteria, picture }) => (
        <li key={ruleId} className={picture ? "with-picture" : undefined}>
          <span className="rule-name">
            {locked && <Icon name="lock" size={16} />} <LocalizedText {...title} />
            {locked && <span className="visually-hidden"> ({t("locked.state")})</span>}
          </span>
          {picture && <EnlargeablePicture className="rule-picture" src={picture} alt={t("locked.picture", { rule: title.text })} lazy />}
          <RuleFacts category={category} impact={impact} elementCount={elementCount} criteria={criteria} />
        </li>
      ))}
    </ul>
  );
}
