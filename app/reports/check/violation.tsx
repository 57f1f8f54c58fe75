import { useTranslation } from "react-i18next";
import type { ElementView, ViolationView } from "~/findings/check-view";
import { LocalizedText } from "~/ui/localized-text";
import { ElementCode } from "./element-code";
import { FixHints } from "./fix-hints";
import { LearnMore } from "./learn-more";
import { RuleFacts } from "./rule-facts";

/** Elements shown at once; the others are in a disclosure. */
const OPEN_ELEMENTS = 3;

/** One violated rule in full: description, impact, elements, fixes. */
export function Violation({ ruleId, title, description, helpUrl, impact, elementCount, criteria, elements }: ViolationView) {
  const { t } = useTranslation("check");
  const headingId = `rule-${ruleId}`;
  const open = elements.slice(0, OPEN_ELEMENTS);
  const further = elements.slice(OPEN_ELEMENTS);
  const notListed = elementCount - elements.length;

  return (
    <article className={`violation violation-${impact ?? "none"}`} aria-labelledby={headingId}>
      <h3 id={headingId}>
        <LocalizedText {...title} />
      </h3>
      <RuleFacts impact={impact} elementCount={elementCount} criteria={criteria} ruleId={ruleId} />
      <p className="prose-line">
        <LocalizedText {...description} />{" "}
        <LearnMore helpUrl={helpUrl} rule={title.text} />
      </p>
      <ol className="elements">
        {open.map((element, index) => (
          <ElementItem key={index} element={element} position={index + 1} />
        ))}
      </ol>
      {further.length > 0 && (
        <details>
          <summary>{t("violations.showMore", { count: further.length })}</summary>
          <ol className="elements" start={OPEN_ELEMENTS + 1}>
            {further.map((element, index) => (
              <ElementItem key={index} element={element} position={OPEN_ELEMENTS + index + 1} />
            ))}
          </ol>
        </details>
      )}
      {notListed > 0 && <p className="hint">{t("violations.more", { count: notListed })}</p>}
    </article>
  );
}

function ElementItem({ element, position }: { element: ElementView; position: number }) {
  const { t } = useTranslation("check");
  return (
    <li className="element">
      <p className="element-target">
        <span className="visually-hidden">
          {t("violations.elementN", { position })}, {t("violations.where")}:{" "}
        </span>
        <code dir="ltr" translate="no">
          {element.target}
        </code>
      </p>
      <ElementCode html={element.html} cut={element.htmlCut} />
      <FixHints fixes={element.fixes} />
    </li>
  );
}
