import { useTranslation } from "react-i18next";
import type { ViolationView } from "~/findings/check-view";
import { ProposedFix } from "~/reports/view/rule/fix";
import { LocalizedText } from "~/ui/localized-text";
import { ElementCode } from "~/reports/check/element-code";
import { FixHints } from "~/reports/check/fix-hints";
import { LearnMore } from "~/reports/check/learn-more";

type Development = ViolationView["development"];
type ForDevelopmentProps = Pick<ViolationView, "ruleId" | "title" | "elementCount" | "development">;

/** Details for developers: rule, selectors, source, failed checks. Collapsed: other readers do not need them. */
export function ForDevelopment({ ruleId, title, elementCount, development }: ForDevelopmentProps) {
  const { t } = useTranslation("check");
  const { description, helpUrl, howToFix, elements } = development;
  const notListed = elementCount - elements.length;
  return (
    <details className="for-development">
      <summary>
        {t("development.summary")}
        <span className="visually-hidden">
          : <LocalizedText {...title} />
        </span>
      </summary>
      <p className="prose-line">
        <code translate="no">{ruleId}</code>: <LocalizedText {...description} /> <LearnMore helpUrl={helpUrl} rule={title.text} />
      </p>
      {howToFix && <p className="prose-line">{howToFix}</p>}
      <ol className="elements">
        {elements.map((element, index) => (
          <ElementItem key={index} element={element} position={index + 1} />
        ))}
      </ol>
      {notListed > 0 && <p className="hint">{t("violations.more", { count: notListed })}</p>}
    </details>
  );
}

function ElementItem({ element, position }: { element: Development["elements"][number]; position: number }) {
  const { t } = useTranslation("check");
  const { target, html, htmlCut, fixes, fix } = element;
  return (
    <li className="element">
      <p className="element-target">
        <span className="visually-hidden">
          {t("violations.elementN", { position })}, {t("violations.where")}:{" "}
        </span>
        <code dir="ltr" translate="no">
          {target}
        </code>
      </p>
      {/* A proposed change already contains the current markup. */}
      {fix?.kind === "markup" ? <ProposedFix fix={fix} /> : <ElementCode html={html} cut={htmlCut} />}
      <FixHints fixes={fixes} />
    </li>
  );
}
