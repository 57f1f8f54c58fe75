import { useTranslation } from "react-i18next";
import { SORTS, type RuleFilter } from "~/reports/report-view";
import { IMPACTS } from "~/scan/types";
import { ListFilter } from "~/ui/form/list-filter";

interface RuleFilterFormProps {
  path: string;
  filter: RuleFilter;
  criteria: { value: string; label: string }[];
  /** False for passes: they have no impact. */
  withImpact: boolean;
}

/** Filter and order of a list of rules. */
export function RuleFilterForm({ path, filter, criteria, withImpact }: RuleFilterFormProps) {
  const { t } = useTranslation(["report", "common"]);
  const { impact, criterion, pageId, text, sort } = filter;
  const any = { value: "", label: t("filter.any") };
  const impacts = [any, ...IMPACTS.map((value) => ({ value, label: t(`common:impact.${value}`) }))];
  const sorts = SORTS.map((value) => ({ value, label: t(`sort.${value}`) }));
  return (
    <ListFilter
      path={path}
      labels={{ filter: t("filter.label"), text: t("filter.text"), apply: t("filter.apply"), reset: t("filter.reset") }}
      text={text}
      choices={[
        ...(withImpact ? [{ name: "impact", label: t("filter.impact"), value: impact ?? "", options: impacts }] : []),
        { name: "criterion", label: t("filter.criterion"), value: criterion ?? "", options: [any, ...criteria] },
        { name: "sort", label: t("filter.sort"), value: sort, options: sorts },
      ]}
      kept={pageId === null ? {} : { page: String(pageId) }}
      isUsed={Boolean(impact ?? criterion ?? text) || sort !== "importance"}
    />
  );
}
