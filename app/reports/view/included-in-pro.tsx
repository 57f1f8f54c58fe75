import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { choicePath } from "~/billing/plans/choice";
import type { ReportReader } from "~/reports/report-view";

/**
 * Shown in place of a rule's elements: reason, and link to a larger plan.
 * @param url of the run
 */
export function IncludedInPro({ reader, url }: { reader: ReportReader; url: string }) {
  const { t } = useTranslation("report");
  return (
    <section className="next-step" aria-labelledby="in-pro">
      <h2 id="in-pro">
        <Icon name="lock" /> {t("inPro.heading")}
      </h2>
      <p className="prose-line">{t("inPro.text")}</p>
      {reader === "owner" && (
        <p>
          <Link className="button" to={choicePath("/setup", { plan: "pro", url })}>
            {t("inPro.plans")}
          </Link>
        </p>
      )}
    </section>
  );
}
