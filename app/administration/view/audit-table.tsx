import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { auditDetail } from "~/administration/audit-detail";
import type { AuditEntry } from "~/administration/audit-log.server";
import { LocalTime } from "~/ui/local-time";

/** Entries of the audit log. Explicit roles, as style sheets make a list of the table on small screens. */
export function AuditTable({ entries }: { entries: AuditEntry[] }) {
  const { t, i18n } = useTranslation("admin");
  return (
    <table className="data-table" role="table">
      <caption className="visually-hidden">{t("audit.heading")}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {(["at", "actor", "action", "subject", "details"] as const).map((column) => (
            <th key={column} role="columnheader" scope="col">
              {t(`audit.column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
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
      </tbody>
    </table>
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
