import { useTranslation } from "react-i18next";
import { LEVELS } from "~/scan/types";

/** Success criteria by version and level, counted in the recommendations at w3.org/TR. */
const VERSIONS = [
  { name: "WCAG 2.0", A: 25, AA: 13, AAA: 23 },
  { name: "WCAG 2.1", A: 30, AA: 20, AAA: 28 },
  { name: "WCAG 2.2", A: 31, AA: 24, AAA: 31 },
];

/** Number of success criteria in each version of WCAG 2. */
export function CriteriaTable() {
  const { t } = useTranslation("law");
  return (
    <table className="criteria-table">
      <caption>{t("criteria.caption")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("criteria.version")}</th>
          {LEVELS.map((level) => (
            <th key={level} scope="col">
              <span className="visually-hidden">{t("criteria.level")} </span>
              {level}
            </th>
          ))}
          <th scope="col">{t("criteria.all")}</th>
        </tr>
      </thead>
      <tbody>
        {VERSIONS.map((version) => (
          <tr key={version.name}>
            <th scope="row">{version.name}</th>
            {LEVELS.map((level) => (
              <td key={level}>{version[level]}</td>
            ))}
            <td>{version.A + version.AA + version.AAA}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
