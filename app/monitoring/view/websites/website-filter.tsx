import { useTranslation } from "react-i18next";
import { WEBSITE_ORDERS, WEBSITE_STATES } from "~/monitoring/websites/website";
import { ListFilter } from "~/ui/form/list-filter";

interface WebsiteFilterFormProps {
  text: string;
  state: string;
  order: string;
}

/** Filter and order of the list of websites. */
export function WebsiteFilterForm({ text, state, order }: WebsiteFilterFormProps) {
  const { t } = useTranslation("websites");
  const states = [{ value: "", label: t("filter.anyState") }, ...WEBSITE_STATES.map((value) => ({ value, label: t(`state.${value}`) }))];
  const orders = WEBSITE_ORDERS.map((value) => ({ value, label: t(`order.${value}`) }));
  return (
    <ListFilter
      path="/websites"
      labels={{ filter: t("filter.label"), text: t("filter.text"), apply: t("filter.apply"), reset: t("filter.reset") }}
      text={text}
      choices={[
        { name: "state", label: t("filter.state"), value: state, options: states },
        { name: "order", label: t("filter.order"), value: order, options: orders },
      ]}
      isUsed={Boolean(text || state)}
    />
  );
}
