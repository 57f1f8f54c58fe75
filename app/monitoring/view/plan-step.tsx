import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { choicePath } from "~/billing/plans/choice";
import { PLAN_STEP, type PlanPause } from "~/monitoring/plan-pause";

interface PlanStepProps {
  excluded: PlanPause;
  /** URL of the scan to repeat. */
  url: string;
  /** Level of the heading. */
  level: 2 | 3;
}

/** Next step if no plan includes a repeated scan, in place of its form. */
export function PlanStep({ excluded, url, level }: PlanStepProps) {
  const { t } = useTranslation("history");
  const Heading = `h${level}` as const;
  return (
    <section aria-labelledby={PLAN_STEP} className="next-step">
      <Heading id={PLAN_STEP} tabIndex={-1}>
        {t(`schedule.planStep.${excluded}.heading`)}
      </Heading>
      <p>{t(`schedule.planStep.${excluded}.text`)}</p>
      <p className="button-row">
        <Link className="button" to={choicePath("/setup", { url })}>
          {t("schedule.plans")}
        </Link>
        {excluded === "level" && (
          <Link className="button button-quiet" to={`/runs/new?url=${encodeURIComponent(url)}`}>
            {t("schedule.lowerLevel")}
          </Link>
        )}
      </p>
    </section>
  );
}
