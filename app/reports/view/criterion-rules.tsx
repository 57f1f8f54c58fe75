import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { LocalizedText } from "~/ui/localized-text";
import { rulePath, type CriterionRow } from "~/reports/report-view";
import { LockedMark } from "./locked-mark";

interface CriterionRulesProps {
  /** Path of the report. */
  base: string;
  rules: CriterionRow["rules"];
}

/** Links to the rules of a criterion that have findings. */
export function CriterionRules({ base, rules }: CriterionRulesProps) {
  const { t } = useTranslation("report");
  if (rules.length === 0) return null;
  return (
    <ul className="plain-list">
      {rules.map((rule) => (
        <li key={`${rule.category} ${rule.ruleId}`}>
          <Link to={rulePath(base, rule)}>
            <LocalizedText {...rule.title} />
          </Link>
          {rule.isLocked && <LockedMark />}
          {rule.category === "incomplete" && ` (${t("criteria.state.review")})`}
        </li>
      ))}
    </ul>
  );
}
