import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { PLAN_KEYS, type PlanKey } from "~/billing/plans/plans";
import { errorOf, type FormAnswer } from "~/platform/forms/form-answer";
import { SelectField } from "~/ui/form/select-field";
import { TextField } from "~/ui/form/text-field";
import { LocalTime } from "~/ui/local-time";

interface PersonPlanProps {
  path: string;
  plans: { id: string; planName: string; entitles: boolean; granted: boolean; endsAt: number | null }[];
  answer?: FormAnswer;
  /** What was typed before. */
  values: Partial<Record<string, string>>;
}

/** Plans of a person, and the form that grants one without payment. */
export function PersonPlan({ path, plans, answer, values }: PersonPlanProps) {
  const { t } = useTranslation("admin");
  const hasGrant = plans.some(({ granted, entitles }) => granted && entitles);
  return (
    <section aria-labelledby="plan-heading">
      <h2 id="plan-heading">{t("plan.heading")}</h2>
      {plans.length === 0 ? (
        <p>{t("plan.none")}</p>
      ) : (
        <ul>
          {plans.map(({ id, planName, entitles, granted, endsAt }) => (
            <li key={id}>
              <strong>{planName}</strong>, {t(granted ? "plan.granted" : "plan.bought")}: {t(entitles ? "plan.runs" : "plan.over")}
              {endsAt !== null && (
                <>
                  {" "}
                  (<LocalTime at={endsAt} dateOnly />)
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <Form className="form" method="post" action={path} noValidate key={String(hasGrant)}>
        <SelectField
          id="plan"
          name="plan"
          label={t("plan.plan")}
          defaultValue={values.plan ?? "pro"}
          options={PLAN_KEYS.map((value: PlanKey) => ({ value, label: t(`plan.name.${value}`) }))}
        />
        <TextField
          id="until"
          name="until"
          label={t("plan.until")}
          hint={t("plan.untilHint")}
          error={errorOf(answer, "until")}
          defaultValue={values.until}
          type="text"
          autoComplete="off"
          required
        />
        <div className="button-row">
          <button className="button button-quiet" type="submit" name="do" value="grant">
            {t(hasGrant ? "plan.change" : "plan.grant")}
          </button>
          {hasGrant && (
            <button className="button button-quiet" type="submit" name="do" value="takePlan">
              {t("plan.take")}
            </button>
          )}
        </div>
      </Form>
    </section>
  );
}
