import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { LocalTime } from "~/ui/local-time";
import type { Schedule } from "~/monitoring/schedule.server";

/** Whether a run is repeated, and the time of the next run. */
export function ScheduleState({ schedule }: { schedule: Schedule | null }) {
  const { t } = useTranslation("history");
  if (!schedule) return <p>{t("schedule.none")}</p>;
  if (schedule.paused) {
    return (
      <p className="notice">
        <Icon name="alert" />
        <span>{t(`schedule.paused.${schedule.paused}`)}</span>
      </p>
    );
  }
  return (
    <dl className="facts-list">
      <div>
        <dt>{t("schedule.every")}</dt>
        <dd>
          {t(`schedule.interval.${schedule.every}`)}
          {schedule.hour !== null && `, ${t("schedule.atHour", { hour: schedule.hour })}`}
        </dd>
      </div>
      <div>
        <dt>{t("schedule.next")}</dt>
        <dd>
          <LocalTime at={schedule.nextRunAt} brief />
        </dd>
      </div>
      <div>
        <dt>{t("schedule.mails")}</dt>
        <dd>{schedule.mails ? t("schedule.mailsOn") : t("schedule.mailsOff")}</dd>
      </div>
      {schedule.hasAccess && (
        <div>
          <dt>{t("schedule.access")}</dt>
          <dd>{t("schedule.accessKept")}</dd>
        </div>
      )}
    </dl>
  );
}
