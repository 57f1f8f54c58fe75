import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { LocalTime } from "~/ui/local-time";
import { isPlanPause } from "~/monitoring/plan-pause";
import type { ListedSchedule } from "~/monitoring/schedule-list.server";

/** All schedules of a user, each with links to change and to end it. */
export function ScheduleList({ path, schedules }: { path: string; schedules: ListedSchedule[] }) {
  const { t } = useTranslation(["history", "runs"]);
  return (
    <ul className="session-list">
      {schedules.map((schedule) => (
        <li key={schedule.id}>
          <div>
            <strong className="address">{schedule.url}</strong>
            <p className="hint">
              {t(`runs:scope.${schedule.scope}`)} · {t(`schedule.interval.${schedule.every}`)}
              {schedule.hour !== null && `, ${t("schedule.atHour", { hour: schedule.hour })}`}
            </p>
            <State {...schedule} />
          </div>
          <div className="button-row">
            <Link className="button button-quiet" to={`/runs/schedules/${schedule.id}`}>
              {t(isPlanPause(schedule.paused) ? "schedules.view" : "schedule.change")}
              <span className="visually-hidden">: {schedule.url}</span>
            </Link>
            <Form method="post" action={path}>
              <button className="button button-quiet" type="submit" name="end" value={schedule.id}>
                {t("schedules.end")}
                <span className="visually-hidden">: {schedule.url}</span>
              </button>
            </Form>
          </div>
        </li>
      ))}
    </ul>
  );
}

function State({ paused, nextRunAt, mails, hasAccess }: ListedSchedule) {
  const { t } = useTranslation("history");
  if (paused) {
    return (
      <p>
        <Icon name="alert" size={16} /> {t(`schedule.paused.${paused}`)} {hasAccess && isPlanPause(paused) && t("schedule.accessThere")}
      </p>
    );
  }
  return (
    <p className="hint">
      {t("schedule.next")}: <LocalTime at={nextRunAt} brief />. {mails ? t("schedules.mailsOn") : t("schedules.mailsOff")}
    </p>
  );
}
