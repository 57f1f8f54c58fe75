import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { ACCEPTANCE_KINDS } from "~/findings/acceptance/acceptance";
import { errorOf, type FormAnswer } from "~/platform/forms/form-answer";
import { RadioGroup } from "~/ui/form/radio-group";
import { TextArea } from "~/ui/form/text-area";
import { TextField } from "~/ui/form/text-field";
import type { AcceptanceNote, AcceptChoice } from "./acceptance-view";

interface AcceptFormProps {
  path: string;
  choices: AcceptChoice[];
  /** Current acceptance. */
  acceptance: AcceptanceNote | null;
  answer: FormAnswer | undefined;
}

/** Form for an acceptance: its scope, reason and end. */
export function AcceptForm({ path, choices, acceptance, answer }: AcceptFormProps) {
  const { t } = useTranslation(["acceptance", "report"]);
  const [only] = choices;
  const labelOf = ({ scope, elements, pages }: AcceptChoice) =>
    scope === "element" ? t("whatChoice.element") : t(`whatChoice.${scope}`, { count: elements, pages: t("report:rule.onPages", { count: pages }) });
  const dayError = errorOf(answer, "last_day");
  const day = answer?.values.last_day ?? acceptance?.lastDay ?? "";
  return (
    <Form className="form" method="post" action={path} noValidate>
      {choices.length === 1 && only ? (
        <>
          <p className="prose-line">
            <strong>{labelOf(only)}</strong>. {t(`whatHint.${only.scope}`)}
          </p>
          <input type="hidden" name="what" value={only.scope} />
        </>
      ) : (
        <RadioGroup
          id="what"
          name="what"
          legend={t("what")}
          error={errorOf(answer, "what")}
          defaultValue={answer?.values.what ?? acceptance?.scope ?? "element"}
          choices={choices.map((choice) => ({ value: choice.scope, label: labelOf(choice), hint: t(`whatHint.${choice.scope}`) }))}
        />
      )}
      <RadioGroup
        id="kind"
        name="kind"
        legend={t("kind")}
        error={errorOf(answer, "kind")}
        defaultValue={answer?.values.kind ?? acceptance?.kind ?? ""}
        choices={ACCEPTANCE_KINDS.map((kind) => ({ value: kind, label: t(`report:accepted.kind.${kind}`), hint: t(`kindHint.${kind}`) }))}
      />
      {/* A date field would not show an invalid date, nor a German one. */}
      <TextField
        id="last_day"
        name="last_day"
        type={dayError || !/^(\d{4}-\d\d-\d\d)?$/.test(day) ? "text" : "date"}
        label={t("lastDay")}
        hint={t("lastDayHint")}
        error={dayError}
        defaultValue={day}
        autoComplete="off"
      />
      <TextArea
        id="reason"
        name="reason"
        label={t("reason")}
        hint={t("reasonHint")}
        error={errorOf(answer, "reason")}
        defaultValue={answer?.values.reason ?? acceptance?.private?.reason ?? ""}
        rows={4}
        required
      />
      <button className="button" type="submit">
        {t("submit")}
      </button>
    </Form>
  );
}
