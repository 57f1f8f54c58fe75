import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { SelectField } from "~/ui/form/select-field";

interface CompareFormProps {
  /** Path of the report. */
  base: string;
  /** Earlier runs, the latest first. */
  earlier: { id: string; label: string }[];
  chosen: string;
}

/** Form that chooses the run to compare with. */
export function CompareForm({ base, earlier, chosen }: CompareFormProps) {
  const { t } = useTranslation("history");
  return (
    <Form className="filter" method="get" action={`${base}/changes`} key={chosen}>
      <SelectField
        id="with"
        name="with"
        label={t("compare.label")}
        defaultValue={chosen}
        options={earlier.map(({ id, label }) => ({ value: id, label }))}
      />
      <button className="button button-quiet" type="submit">
        {t("compare.submit")}
      </button>
    </Form>
  );
}
