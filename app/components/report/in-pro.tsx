import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/components/icon";
import type { ReportReader } from "~/lib/report-view";

/** In the place of a rule's elements: why they are not shown, and how to get them. */
export function InPro({ reader }: { reader: ReportReader }) {
  const { t } = useTranslation("report");
  return (
    <section className="next-step" aria-labelledby="in-pro">
      <h2 id="in-pro">
        <Icon name="lock" /> {t("inPro.heading")}
      </h2>
      <p className="prose-line">{t("inPro.text")}</p>
      {reader === "owner" && (
        <p>
          <Link className="button" to="/setup?plan=pro">
            {t("inPro.plans")}
          </Link>
        </p>
      )}
    </section>
  );
}
