import { useTranslation } from "react-i18next";
import type { AuditFilterView } from "~/administration/audit-filter.server";
import type { AuditAction } from "~/administration/audit-log.server";
import { ListFilter } from "~/ui/form/list-filter";

/** Filter of the audit log. */
export function AuditFilter({ text, action, actions }: AuditFilterView & { actions: AuditAction[] }) {
  const { t } = useTranslation("admin");
  const kinds = [{ value: "", label: t("audit.any") }, ...actions.map((value) => ({ value, label: t(`audit.action.${value}`) }))];
  return (
    <ListFilter
      path="/admin/audit-log"
      labels={{ filter: t("audit.filter"), text: t("audit.text"), apply: t("audit.apply"), reset: t("audit.reset") }}
      text={text}
      choices={[{ name: "action", label: t("audit.kind"), value: action, options: kinds }]}
      isUsed={Boolean(text || action)}
    />
  );
}
