import { Form, Link, useLocation } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ACCESS_FIELDS, AccessFields } from "~/runs/view/access-fields";
import { RadioGroup } from "~/ui/form/radio-group";
import { SelectField } from "~/ui/form/select-field";
import { SubmitButton } from "~/ui/form/submit-button";
import { errorOf, HAD_SECRETS, type FormAnswer } from "~/platform/forms/form-answer";
import { HOURS, INTERVALS } from "~/monitoring/schedule-calendar";
import type { Schedule } from "~/monitoring/schedule.server";
import { ShownRunFields, type ShownRun } from "./shown-run";

/** Default hour: few visitors of the website are affected then. */
const NIGHT = 3;

export interface ScheduleFormProps {
  path: string;
  shown: ShownRun;
  schedule: Schedule | null;
  answer?: FormAnswer;
  /** Values sent after the session had ended, by this form or another one on the page. */
  kept: FormAnswer["values"] | null;
  email: string;
  emailVerified: boolean;
  /** Source of the settings: the shown run, the last run of the website, a first run, or the schedule itself. */
  settings: "run" | "last" | "first" | "own";
  /** Level of the headings. */
  level?: 2 | 3;
}

/** Form for interval, mails and access of a schedule. */
export function ScheduleForm({ path, shown, schedule, answer, kept, email, emailVerified, settings, level = 2 }: ScheduleFormProps) {
  const { t } = useTranslation("history");
  const location = useLocation();
  const Heading = `h${level}` as const;
  const typed = answer?.values ?? (kept?.every === undefined ? undefined : kept);
  const isRunning = schedule !== null && schedule.paused === null;
  return (
    <section aria-labelledby="set">
      <Heading id="set">{isRunning ? t("schedule.changeHeading") : t("schedule.setHeading")}</Heading>
      <Form className="form" method="post" action={path} noValidate key={`${schedule?.every} ${schedule?.hour} ${schedule?.mails} ${schedule?.hasAccess}`}>
        <ShownRunFields {...shown} />
        <RadioGroup
          id="every"
          name="every"
          legend={t("schedule.everyLegend")}
          error={errorOf(answer, "every")}
          defaultValue={typed?.every ?? schedule?.every ?? "week"}
          choices={INTERVALS.map((value) => ({ value, label: t(`schedule.interval.${value}`) }))}
        />
        <SelectField
          id="hour"
          name="hour"
          label={t("schedule.hour")}
          defaultValue={typed?.hour ?? schedule?.hour ?? (schedule ? "" : NIGHT)}
          options={[...(schedule?.hour === null ? [{ value: "", label: t("schedule.asBefore") }] : []), ...HOURS.map((hour) => ({ value: String(hour), label: t("schedule.atHour", { hour }) }))]}
        />
        <div className="field">
          <label className="checkbox" htmlFor="mails">
            <input
              id="mails"
              name="mails"
              value="yes"
              type="checkbox"
              defaultChecked={typed ? typed.mails === "yes" : (schedule?.mails ?? true)}
              aria-describedby="mails-hint"
            />
            <span>{t("schedule.mailsLabel")}</span>
          </label>
          <p className="field-hint" id="mails-hint">
            {emailVerified ? t("schedule.mailsTo", { email }) : t("schedule.notVerified", { email })}{" "}
            {!emailVerified && <Link to="/account/verify">{t("schedule.verify")}</Link>}
          </p>
        </div>
        <ScheduleAccess key={location.key} hasAccess={schedule?.hasAccess ?? false} isLost={schedule?.paused === "access"} settings={settings} answer={answer} typed={typed} />
        <p className="hint">{t(`schedule.settings.${settings}`)}</p>
        <SubmitButton label={isRunning ? t("schedule.change") : t("schedule.set")} busyLabel={t("schedule.busy")} action={path} />
      </Form>
    </section>
  );
}

type ScheduleAccessProps = Pick<ScheduleFormProps, "settings" | "answer"> & { hasAccess: boolean; isLost: boolean; typed: FormAnswer["values"] | undefined };

/** Credentials for a site that is not public: stored only if the owner types them here. `key` empties the fields after sending. */
function ScheduleAccess({ hasAccess, isLost, settings, answer, typed }: ScheduleAccessProps) {
  const { t } = useTranslation(["history", "runs"]);
  const again = answer?.hadSecrets ?? typed?.[HAD_SECRETS] === "yes";
  const isOpen: boolean = again || isLost || typed?.forgetAccess === "yes" || ACCESS_FIELDS.some((field) => Boolean(errorOf(answer, field) ?? typed?.[field]));
  return (
    <details className="more" open={isOpen || undefined}>
      <summary>
        {t("runs:new.access")}
        {hasAccess && `: ${t(isLost ? "schedule.accessLost" : "schedule.accessKept")}`}
      </summary>
      <p className="field-hint">
        {t("schedule.accessHint")} {(settings === "last" || settings === "first") && t("schedule.accessForCheck")}
      </p>
      {hasAccess && (
        <>
          <p>{t(isLost ? "schedule.accessUnreadable" : "schedule.accessStored")}</p>
          <div className="field">
            <label className="checkbox" htmlFor="forgetAccess">
              <input id="forgetAccess" name="forgetAccess" value="yes" type="checkbox" defaultChecked={typed?.forgetAccess === "yes"} />
              <span>{t("schedule.forgetAccess")}</span>
            </label>
          </div>
        </>
      )}
      <AccessFields user={typed?.accessUser} errorOf={(field) => errorOf(answer, field)} again={again} />
    </details>
  );
}
