import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { auditDetail } from "~/administration/audit-detail";
import type { AuditEntry } from "~/administration/audit-log.server";
import { LocalTime } from "~/ui/local-time";
import { DataTable } from "~/ui/data-table";

/** Entries of the audit log. */
export function AuditTable({ entries }: { entries: AuditEntry[] }) {
  const { t, i18n } = useTranslation("admin");
  return (
    <DataTable
      caption={t("audit.heading")}
      columns={(["at", "actor", "action", "subject", "details"] as const).map((column) => t(`audit.column.${column}`))}
    >
      {entries.map(({ id, at, actorId, actor, action, subjectId, subject, details }) => (
        <tr key={id} role="row">
          <th role="rowheader" scope="row" data-label={t("audit.column.at")}>
            <LocalTime at={at} />
          </th>
          <td role="cell" className="address" data-label={t("audit.column.actor")}>
            {actorId === null ? t("audit.commandLine") : <Person id={actorId} address={actor} />}
          </td>
          <td role="cell" data-label={t("audit.column.action")}>
            {t(`audit.action.${action}`)}
          </td>
          <td role="cell" className="address" data-label={t("audit.column.subject")}>
            {subject === null ? t("audit.nobody") : <Person id={subjectId} address={subject} />}
          </td>
          <td role="cell" className="address" data-label={t("audit.column.details")}>
            {Object.entries(details).map((detail) => (
              <div key={detail[0]}>{auditDetail(t, i18n.language, detail)}</div>
            ))}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function Person({ id, address }: { id: string | null; address: string }) {
  if (id === null) return address;
  return (
    <Link className="target address" to={`/admin/people/${id}`}>
      {address}
    </Link>
  );
}
