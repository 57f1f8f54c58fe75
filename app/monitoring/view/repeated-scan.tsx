import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { EndSchedule } from "./end-schedule";
import { ForgetAccess } from "./forget-access";
import { ScheduleForm, type ScheduleFormProps } from "./schedule-form";
import { ScheduleState } from "./schedule-state";

interface RepeatedScanProps extends ScheduleFormProps {
  /** A subscription covers the website. */
  entitled: boolean;
}

/** State of a schedule, and what can be done with it: set or change it, delete its stored access, end it. */
export function RepeatedScan({ entitled, ...form }: RepeatedScanProps) {
  const { path, schedule, level = 2 } = form;
  const { t } = useTranslation("history");
  const Heading = `h${level}` as const;
  return (
    <>
      <ScheduleState schedule={schedule} />
      {entitled ? (
        <ScheduleForm {...form} />
      ) : (
        <section aria-labelledby="subscribe" className="next-step">
          <Heading id="subscribe">{t("schedule.subscribersHeading")}</Heading>
          <p>{t("schedule.subscribers")}</p>
          <Link className="button" to="/setup">
            {t("schedule.plans")}
          </Link>
        </section>
      )}
      {schedule?.hasAccess && !entitled && <ForgetAccess path={path} />}
      {schedule && <EndSchedule path={path} level={level} />}
    </>
  );
}
