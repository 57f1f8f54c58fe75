import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { RadioGroup } from "~/ui/form/radio-group";
import { SelectField } from "~/ui/form/select-field";
import { SubmitButton } from "~/ui/form/submit-button";
import { errorOf, type FormAnswer } from "~/platform/forms/form-answer";
import { INTERVALS } from "~/monitoring/schedule-calendar";
import { HOURS } from "~/monitoring/schedule-form";
import type { Schedule } from "~/monitoring/schedule.server";

/** Few visitors are disturbed then. */
const NIGHT = 3;

interface ScheduleFormProps {
  path: string;
  schedule: Schedule | null;
  answer?: FormAnswer;
  email: string;
  emailVerified: boolean;
  /** Of its heading. */
  level?: 2 | 3;
}

/** Form for interval and mails of a schedule. */
export function ScheduleForm({ path, schedule, answer, email, emailVerified, level = 2 }: ScheduleFormProps) {
  const { t } = useTranslation("history");
  const Heading = `h${level}` as const;
  const isRunning = schedule !== null && schedule.paused === null;
  return (
    <section aria-labelledby="set">
      <Heading id="set">{isRunning ? t("schedule.changeHeading") : t("schedule.setHeading")}</Heading>
      <Form className="form" method="post" action={path} noValidate key={`${schedule?.every} ${schedule?.hour} ${schedule?.mails}`}>
        <RadioGroup
          id="every"
          name="every"
          legend={t("schedule.everyLegend")}
          error={errorOf(answer, "every")}
          defaultValue={answer?.values.every ?? schedule?.every ?? "week"}
          choices={INTERVALS.map((value) => ({ value, label: t(`schedule.interval.${value}`) }))}
        />
        <SelectField
          id="hour"
          name="hour"
          label={t("schedule.hour")}
          defaultValue={answer?.values.hour ?? schedule?.hour ?? (schedule ? "" : NIGHT)}
          options={[...(schedule?.hour === null ? [{ value: "", label: t("schedule.asBefore") }] : []), ...HOURS.map((hour) => ({ value: String(hour), label: t("schedule.atHour", { hour }) }))]}
        />
        <div className="field">
          <label className="checkbox" htmlFor="mails">
            <input
              id="mails"
              name="mails"
              value="yes"
              type="checkbox"
              defaultChecked={answer ? answer.values.mails === "yes" : (schedule?.mails ?? true)}
              aria-describedby="mails-hint"
            />
            <span>{t("schedule.mailsLabel")}</span>
          </label>
          <p className="field-hint" id="mails-hint">
            {emailVerified ? t("schedule.mailsTo", { email }) : t("schedule.notVerified", { email })}{" "}
            {!emailVerified && <Link to="/account/verify">{t("schedule.verify")}</Link>}
          </p>
        </div>
        <p className="hint">{t("schedule.access")}</p>
        <SubmitButton label={isRunning ? t("schedule.change") : t("schedule.set")} busyLabel={t("schedule.busy")} action={path} />
      </Form>
    </section>
  );
}
