import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { CoveredCriterion, CriterionCoverage, RuleLine } from "~/findings/rules/guide.server";
import { Icon, type IconName } from "~/ui/icon";
import { LocalizedText } from "~/ui/localized-text";
import { DataTable } from "~/ui/data-table";
import { planAboveBasic } from "./plan-of-rule";

const PRINCIPLES = ["1", "2", "3", "4"] as const;
const ICONS: Record<CriterionCoverage, IconName> = { partly: "check", questions: "user", none: "minor" };

/** All success criteria by principle, each with the tested aspects and its rules. */
export function RuleList({ criteria, ruleCount }: { criteria: CoveredCriterion[]; ruleCount: number }) {
  const { t } = useTranslation("rulebook");
  return (
    <div className="info-page wrap">
      <h1>{t("list.heading")}</h1>
      <p className="lead prose-line">{t("list.lead")}</p>
      <p className="prose-line">{t("list.honest")}</p>
      <section aria-labelledby="numbers">
        <h2 id="numbers">{t("list.numbers.heading")}</h2>
        <Numbers criteria={criteria} ruleCount={ruleCount} />
      </section>
      <nav className="on-this-page" aria-label={t("list.principles.heading")}>
        <ul>
          {PRINCIPLES.map((principle) => (
            <li key={principle}>
              <a href={`#principle-${principle}`}>{t(`list.principles.${principle}`)}</a>
            </li>
          ))}
        </ul>
      </nav>
      {PRINCIPLES.map((principle) => (
        <section key={principle} aria-labelledby={`principle-${principle}`}>
          <h2 id={`principle-${principle}`}>{t(`list.principles.${principle}`)}</h2>
          <CriteriaTable caption={t(`list.principles.${principle}`)} criteria={criteria.filter(({ number }) => number.startsWith(principle))} />
        </section>
      ))}
    </div>
  );
}

function Numbers({ criteria, ruleCount }: { criteria: CoveredCriterion[]; ruleCount: number }) {
  const { t } = useTranslation("rulebook");
  return (
    <>
      <p>
        {t("list.numbers.all", { count: criteria.length })}, {t("list.numbers.rules", { count: ruleCount })}
      </p>
      <dl className="facts-list facts-list-wide">
        {(["full", "partly", "questions", "none"] as const).map((coverage) => (
          <div key={coverage}>
            <dt>{t(`list.coverage.${coverage}`)}</dt>
            <dd>
              <strong>{criteria.filter((criterion) => criterion.coverage === coverage).length}</strong> – {t(`list.meaning.${coverage}`)}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function CriteriaTable({ caption, criteria }: { caption: string; criteria: CoveredCriterion[] }) {
  const { t } = useTranslation("rulebook");
  return (
    <DataTable caption={caption} columns={(["criterion", "level", "coverage", "rules"] as const).map((column) => t(`list.column.${column}`))}>
      {criteria.map(({ number, name, level, coverage, rules }) => (
        <tr key={number} role="row" id={`criterion-${number}`}>
          <th role="rowheader" scope="row" data-label={t("list.column.criterion")}>
            {name}
          </th>
          <td role="cell" data-label={t("list.column.level")}>
            {level}
          </td>
          <td role="cell" data-label={t("list.column.coverage")}>
            <span className={`run-state coverage-${coverage}`}>
              <Icon name={ICONS[coverage]} size={16} />
              {t(`list.coverage.${coverage}`)}
            </span>
          </td>
          <td role="cell" data-label={t("list.column.rules")}>
            {rules.length > 0 && (
              <ul className="plain-list">
                {rules.map((rule) => (
                  <RuleItem key={rule.id} {...rule} />
                ))}
              </ul>
            )}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function RuleItem(rule: RuleLine) {
  const { id, help, asksOnly } = rule;
  const { t } = useTranslation("rulebook");
  const plan = planAboveBasic(rule);
  return (
    <li>
      <Link to={`/rules/${id}`}>
        <LocalizedText {...help} />
      </Link>
      {asksOnly && ` (${t("list.asks")})`}
      {plan && ` (${t(`list.plan.${plan}`)})`}
    </li>
  );
}
