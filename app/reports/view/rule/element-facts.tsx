import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ElementLocationView } from "~/reports/report-view";
import { ConditionsRow, ElementContextRows } from "./element-context";

interface ElementFactsProps {
  location: Pick<ElementLocationView, "conditions" | "context" | "lang" | "target">;
  /** Rows before the facts. */
  children?: ReactNode;
}

/** Location and conditions of an element, in words and as a selector. */
export function ElementFacts({ location, children }: ElementFactsProps) {
  const { t } = useTranslation("report");
  const { conditions, context, lang, target } = location;
  return (
    <dl className="facts-list">
      {children}
      <ConditionsRow conditions={conditions} />
      {context && <ElementContextRows {...context} lang={lang} />}
      <div>
        <dt>{t("element.selector")}</dt>
        <dd>
          <code dir="ltr" translate="no">
            {target}
          </code>
        </dd>
      </div>
    </dl>
  );
}
