import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";

/** Next step for readers of the sample without an own report. */
export function CheckOwnPage() {
  const { t } = useTranslation("report");
  const { heading, text, label } = t("reader.sample.action", { returnObjects: true });
  return (
    <section aria-labelledby="own-page" className="next-step">
      <h2 id="own-page">{heading}</h2>
      <p className="prose-line">{text}</p>
      <p>
        <Link className="button" to="/">
          {label}
        </Link>
      </p>
    </section>
  );
}
