import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { SelectField } from "~/ui/form/select-field";
import { TextField } from "~/ui/form/text-field";
import { WEBSITE_ORDERS, WEBSITE_STATES } from "~/monitoring/websites/website";

interface WebsiteFilterFormProps {
  text: string;
  state: string;
  order: string;
}

/** Filters and sorts the list of websites; both are part of the address. */
export function WebsiteFilterForm({ text, state, order }: WebsiteFilterFormProps) {
  const { t } = useTranslation("websites");
  return (
    <Form className="filter" method="get" action="/websites" role="search" aria-label={t("filter.label")} key={`${text} ${state} ${order}`}>
      <TextField id="q" name="q" type="search" label={t("filter.text")} defaultValue={text} spellCheck={false} />
      <SelectField
        id="state"
        name="state"
        label={t("filter.state")}
        defaultValue={state}
        options={[{ value: "", label: t("filter.anyState") }, ...WEBSITE_STATES.map((value) => ({ value, label: t(`state.${value}`) }))]}
      />
      <SelectField
        id="order"
        name="order"
        label={t("filter.order")}
        defaultValue={order}
        options={WEBSITE_ORDERS.map((value) => ({ value, label: t(`order.${value}`) }))}
      />
      <button className="button button-quiet" type="submit">
        {t("filter.apply")}
      </button>
      {(text || state) && <Link to="/websites">{t("filter.reset")}</Link>}
    </Form>
  );
}
