import { useTranslation } from "react-i18next";

/** An element's own markup, as text. */
export function ElementCode({ html, cut }: { html: string; cut: boolean }) {
  const { t } = useTranslation("check");
  return (
    <pre className="element-code" dir="ltr" translate="no">
      <code>
        {html}
        {cut && ` … (${t("violations.cut")})`}
      </code>
    </pre>
  );
}
