import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { PLAN_KEYS, type PlanKey } from "~/billing/plans/plans";
import { dayToType } from "~/platform/forms/typed-text";
import { errorOf, type FormAnswer } from "~/platform/forms/form-answer";
import { SelectField } from "~/ui/form/select-field";
import { TextField } from "~/ui/form/text-field";
import { LocalTime } from "~/ui/local-time";

interface PersonPlanProps {
  path: string;
  plans: { id: string; plan: PlanKey; planName: string; entitles: boolean; granted: boolean; endsAt: number | null }[];
  answer?: FormAnswer;
  /** Previously typed values. */
  values: Partial<Record<string, string>>;
}

/** Plans of a person, and the form that grants one without payment. */
export function PersonPlan({ path, plans, answer, values }: PersonPlanProps) {
  const { t, i18n } = useTranslation("admin");
  const grant = plans.find(({ granted, entitles }) => granted && entitles);
  return (
    <section aria-labelledby="plan-heading">
      <h2 id="plan-heading">{t("plan.heading")}</h2>
      {plans.length === 0 ? (
        <p>{t("plan.none")}</p>
      ) : (
        <ul>
          {plans.map(({ id, planName, entitles, granted, endsAt }) => (
            <li key={id}>
              <strong>{planName}</strong>, {t(granted ? "plan.granted" : "plan.bought")}:{" "}
              {endsAt === null ? (
                t(entitles ? "plan.runs" : "plan.over")
              ) : (
                <>
                  {t(entitles ? "plan.runsUntil" : "plan.overSince")} <LocalTime at={endsAt} dateOnly />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <Form className="form" method="post" action={path} noValidate key={`${grant?.plan} ${grant?.endsAt}`}>
        <SelectField
          id="plan"
          name="plan"
          label={t("plan.plan")}
          defaultValue={values.plan ?? grant?.plan ?? "pro"}
          options={PLAN_KEYS.map((value: PlanKey) => ({ value, label: t(`plan.name.${value}`) }))}
        />
        <TextField
          id="until"
          name="until"
          label={t("plan.until")}
          hint={t("plan.untilHint")}
          error={errorOf(answer, "until")}
          defaultValue={values.until ?? (grant?.endsAt ? dayToType(grant.endsAt, i18n.language) : "")}
          type="text"
          autoComplete="off"
          required
        />
        <div className="button-row">
          <button className="button button-quiet" type="submit" name="do" value="grant">
            {t(grant ? "plan.change" : "plan.grant")}
          </button>
          {grant && (
            <button className="button button-quiet" type="submit" name="do" value="takePlan">
              {t("plan.take")}
            </button>
          )}
        </div>
      </Form>
    </section>
  );
}
