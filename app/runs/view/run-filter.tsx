import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { SelectField } from "~/ui/form/select-field";
import { TextField } from "~/ui/form/text-field";
import { RUN_STATUSES } from "~/runs/run-view";

/** Filters the list of runs; the filter is part of the address. */
export function RunFilterForm({ text, status }: { text: string; status: string }) {
  const { t } = useTranslation("runs");
  return (
    <Form className="filter" method="get" action="/runs" role="search" aria-label={t("filter.label")} key={`${text} ${status}`}>
      <TextField id="q" name="q" type="search" label={t("filter.text")} defaultValue={text} spellCheck={false} />
      <SelectField
        id="status"
        name="status"
        label={t("filter.status")}
        defaultValue={status}
        options={[
          { value: "", label: t("filter.anyStatus") },
          ...RUN_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
        ]}
      />
      <button className="button button-quiet" type="submit">
        {t("filter.apply")}
      </button>
      {(text || status) && <Link to="/runs">{t("filter.reset")}</Link>}
    </Form>
  );
}
