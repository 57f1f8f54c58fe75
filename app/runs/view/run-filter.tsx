import { useTranslation } from "react-i18next";
import { RUN_STATUSES } from "~/runs/run-view";
import { ListFilter } from "~/ui/form/list-filter";

/** Filter form of the list of runs. */
export function RunFilterForm({ text, status }: { text: string; status: string }) {
  const { t } = useTranslation("runs");
  const statuses = [{ value: "", label: t("filter.anyStatus") }, ...RUN_STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))];
  return (
    <ListFilter
      path="/runs"
      labels={{ filter: t("filter.label"), text: t("filter.text"), apply: t("filter.apply"), reset: t("filter.reset") }}
      text={text}
      choices={[{ name: "status", label: t("filter.status"), value: status, options: statuses }]}
      isUsed={Boolean(text || status)}
    />
  );
}
