import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { QueueRow } from "~/administration/queue.server";
import { RunState } from "~/runs/view/run-state";
import { shortId } from "~/runs/run-view";
import { LocalTime } from "~/ui/local-time";
import { DataTable } from "~/ui/data-table";

/** Scans of all accounts, to cancel or delete. */
export function QueueTable({ rows }: { rows: QueueRow[] }) {
  const { t } = useTranslation("admin");
  return (
    <Form method="get" action="/admin/queue/change">
      <DataTable
        caption={t("queue.heading")}
        selection={t("queue.column.select")}
        columns={(["address", "person", "state", "since"] as const).map((column) => t(`queue.column.${column}`))}
      >
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </DataTable>
      <p className="button-row">
        <button className="button button-quiet" type="submit" name="what" value="cancel">
          {t("queue.cancel")}
        </button>{" "}
        <button className="button button-quiet" type="submit" name="what" value="delete">
          {t("queue.delete")}
        </button>
      </p>
    </Form>
  );
}

function Row({ row }: { row: QueueRow }) {
  const { t } = useTranslation(["admin", "runs", "report"]);
  const { id, url, scope, person, reason } = row;
  return (
    <tr role="row">
      <td role="cell" className="cell-select">
        <input type="checkbox" name="run" value={id} aria-label={t("runs:table.selectRun", { id: shortId(id), url })} />
      </td>
      <th role="rowheader" scope="row" data-label={t("queue.column.address")}>
        <span className="address">{url}</span>
        <div className="hint">
          {t(`runs:scope.${scope}`)}, <code translate="no">{shortId(id)}</code>
        </div>
      </th>
      <td role="cell" data-label={t("queue.column.person")}>
        {person ? (
          <Link className="target address" to={`/admin/people/${person.id}`}>
            {person.email}
          </Link>
        ) : (
          t("queue.visitor")
        )}
      </td>
      <td role="cell" data-label={t("queue.column.state")}>
        <RunState {...row} />
        {row.position !== null && <div className="hint">{t("queue.position", { position: row.position })}</div>}
        {row.isHeldBack && <div className="hint">{t("queue.heldBack")}</div>}
        {row.status === "failed" && reason !== null && <div className="hint">{t(`report:reason.${reason}`)}</div>}
      </td>
      <td role="cell" data-label={t("queue.column.since")}>
        <LocalTime at={row.since} brief />
      </td>
    </tr>
  );
}
