import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ElementCode } from "~/reports/check/element-code";
import { RuleFacts } from "~/reports/check/rule-facts";
import { LockedMark } from "~/reports/view/locked-mark";
import { LocalizedText } from "~/ui/localized-text";
import { AddressNotes } from "~/findings/view/page-address";
import type { ChangeKind } from "~/monitoring/compare";
import type { ChangedGroupView, ChangedRuleView } from "~/monitoring/history-view";
import { pathAndQuery } from "~/findings/page-address";

interface ChangedRulesProps {
  kind: ChangeKind;
  rules: ChangedRuleView[];
  /** Text for no rules; without it, nothing is shown then. */
  none?: string;
  /** Whether headings are one level lower, as part of a section. */
  below?: boolean;
}

/** Rules with elements of one kind, and the first of these elements. */
export function ChangedRules({ kind, rules, none, below = false }: ChangedRulesProps) {
  const { t } = useTranslation("history");
  if (rules.length === 0 && none === undefined) return null;
  const [Heading, RuleHeading] = below ? (["h3", "h4"] as const) : (["h2", "h3"] as const);
  return (
    <section aria-labelledby={`kind-${kind}`}>
      <Heading id={`kind-${kind}`}>{t(`kind.${kind}.heading`)}</Heading>
      <p className="prose-line">{rules.length === 0 ? none : t(`kind.${kind}.text`)}</p>
      {rules.length > 0 && (
        <ul className="rule-list">
          {rules.map((rule) => (
            <li key={rule.ruleId}>
              <RuleHeading className="rule-name">
                <Link to={rule.path}>
                  <LocalizedText {...rule.title} />
                </Link>
                {rule.isLocked && <LockedMark />}
              </RuleHeading>
              <RuleFacts impact={rule.impact} elementCount={rule.count} criteria={rule.criteria} />
              {rule.groups.length > 0 && <Groups {...rule} open={kind === "new"} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** @param open expanded from the start: new elements are the reason to visit */
function Groups({ groups, count, title, open }: ChangedRuleView & { open: boolean }) {
  const { t } = useTranslation("history");
  const listed = groups.reduce((sum, { elements }) => sum + elements, 0);
  return (
    <details open={open || undefined}>
      <summary>
        {t("group.show")}
        <span className="visually-hidden">
          : <LocalizedText {...title} />
        </span>
      </summary>
      <ul className="change-groups">
        {groups.map((group) => (
          <li key={group.path}>
            <Group {...group} />
          </li>
        ))}
      </ul>
      {count > listed && <p className="hint">{t("group.more", { count: count - listed })}</p>}
    </details>
  );
}

function Group({ html, htmlCut, elements, pages, pageUrl, pageReached, path }: ChangedGroupView) {
  const { t } = useTranslation("history");
  return (
    <>
      <ElementCode html={html} cut={htmlCut} />
      <p>
        {elements > 1 && `${t("group.times", { count: elements, pages: t("group.pages", { count: pages }) })} `}
        <Link to={path}>
          {t("group.open")} <span className="address">{pathAndQuery(pageUrl)}</span>
        </Link>
        <AddressNotes reached={pageReached} />
      </p>
    </>
  );
}
