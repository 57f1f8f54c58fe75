import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { SelectField } from "~/ui/form/select-field";
import { TextField } from "~/ui/form/text-field";
import { SORTS, type RuleFilter } from "~/reports/report-view";
import { IMPACTS } from "~/scan/types";

interface RuleFilterFormProps {
  path: string;
  filter: RuleFilter;
  criteria: { value: string; label: string }[];
  /** False for passes: they have no impact. */
  withImpact: boolean;
}

/** Filters and sorts a list of rules; the choice is part of the address. */
export function RuleFilterForm({ path, filter, criteria, withImpact }: RuleFilterFormProps) {
  const { t } = useTranslation(["report", "common"]);
  const { impact, criterion, pageId, text, sort } = filter;
  const isUsed = Boolean(impact ?? criterion ?? text) || sort !== "importance";
  return (
    <Form className="filter" method="get" action={path} role="search" aria-label={t("filter.label")} key={JSON.stringify(filter)}>
      {pageId !== null && <input type="hidden" name="page" value={pageId} />}
      <TextField id="q" name="q" type="search" label={t("filter.text")} defaultValue={text} spellCheck={false} />
      {withImpact && (
        <SelectField
          id="impact"
          name="impact"
          label={t("filter.impact")}
          defaultValue={impact ?? ""}
          options={[
            { value: "", label: t("filter.any") },
            ...IMPACTS.map((value) => ({ value, label: t(`common:impact.${value}`) })),
          ]}
        />
      )}
      <SelectField
        id="criterion"
        name="criterion"
        label={t("filter.criterion")}
        defaultValue={criterion ?? ""}
        options={[{ value: "", label: t("filter.any") }, ...criteria]}
      />
      <SelectField
        id="sort"
        name="sort"
        label={t("filter.sort")}
        defaultValue={sort}
        options={SORTS.map((value) => ({ value, label: t(`sort.${value}`) }))}
      />
      <button className="button button-quiet" type="submit">
        {t("filter.apply")}
      </button>
      {isUsed && <Link to={pageId === null ? path : `${path}?page=${pageId}`}>{t("filter.reset")}</Link>}
    </Form>
  );
}
