import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { RuleFacts } from "~/reports/check/rule-facts";
import { LocalizedText } from "~/ui/localized-text";
import type { Barrier } from "~/findings/rules/barriers";
import type { RuleRow } from "~/reports/report-view";
import { LockedMark } from "./locked-mark";

interface RuleItemProps {
  rule: RuleRow;
  to: string;
  /** Effect of the barrier, if shown. */
  barrier?: Barrier;
}

/** A rule in a list, with a link to its details. */
export function RuleItem({ rule, to, barrier }: RuleItemProps) {
  const { t } = useTranslation(["report", "fixes"]);
  const { category, title, impact, elementCount, criteria, pages, isLocked } = rule;
  return (
    <>
      <Link className="rule-name" to={to}>
        <LocalizedText {...title} />
      </Link>
      {isLocked && <LockedMark />}
      {barrier && <p>{t(`fixes:why.${barrier}`)}</p>}
      <RuleFacts category={category} impact={impact} elementCount={elementCount} criteria={criteria}>
        <li>{t("rule.onPages", { count: pages })}</li>
      </RuleFacts>
    </>
  );
}
