import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { RUN_STATES, type RunState } from "~/administration/run-states";
import { SelectField } from "~/ui/form/select-field";
import { TextField } from "~/ui/form/text-field";

/** Filters the scans of all accounts; the filter is part of the address. */
export function QueueFilter({ text, state }: { text: string; state: RunState }) {
  const { t } = useTranslation("admin");
  const isFiltered = text !== "" || state !== RUN_STATES[0];
  return (
    <Form className="filter" method="get" action="/admin/queue" role="search" aria-label={t("queue.filter")} key={`${text} ${state}`}>
      <TextField id="q" name="q" type="search" label={t("queue.text")} defaultValue={text} spellCheck={false} />
      <SelectField
        id="state"
        name="state"
        label={t("queue.column.state")}
        defaultValue={state}
        options={RUN_STATES.map((value) => ({ value, label: t(`queue.state.${value}`) }))}
      />
      <button className="button button-quiet" type="submit">
        {t("queue.apply")}
      </button>{" "}
      {isFiltered && <Link to="/admin/queue">{t("queue.reset")}</Link>}
    </Form>
  );
}
