import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { AuditFilterView } from "~/administration/audit-filter.server";
import type { AuditAction } from "~/administration/audit-log.server";
import { SelectField } from "~/ui/form/select-field";
import { TextField } from "~/ui/form/text-field";

/** Filters the audit log; the filter is part of the address. */
export function AuditFilter({ text, action, actions }: AuditFilterView & { actions: AuditAction[] }) {
  const { t } = useTranslation("admin");
  const kinds = actions.map((value) => ({ value, label: t(`audit.action.${value}`) }));
  return (
    <Form className="filter" method="get" action="/admin/audit-log" role="search" aria-label={t("audit.filter")} key={`${text} ${action}`}>
      <TextField id="q" name="q" type="search" label={t("audit.text")} defaultValue={text} spellCheck={false} />
      <SelectField id="action" name="action" label={t("audit.kind")} defaultValue={action} options={[{ value: "", label: t("audit.any") }, ...kinds]} />
      <button className="button button-quiet" type="submit">
        {t("audit.apply")}
      </button>{" "}
      {(text || action) && <Link to="/admin/audit-log">{t("audit.reset")}</Link>}
    </Form>
  );
}
