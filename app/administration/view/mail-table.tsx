import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { OutboxRow } from "~/mail/outbox-list.server";
import { LocalTime } from "~/ui/local-time";
import { DataTable } from "~/ui/data-table";

/** Waiting and failed mails. */
export function MailTable({ mails }: { mails: OutboxRow[] }) {
  const { t } = useTranslation("admin");
  return (
    <DataTable
      caption={t("mails.heading")}
      columns={(["mail", "attempts", "next", "error", "actions"] as const).map((column) => t(`mails.column.${column}`))}
    >
      {mails.map((mail) => (
        <Row key={mail.id} mail={mail} />
      ))}
    </DataTable>
  );
}

function Row({ mail }: { mail: OutboxRow }) {
  const { t, i18n } = useTranslation("admin");
  const { id, to, subject, attempts, createdAt, nextAt, error } = mail;
  const name = <span className="visually-hidden">: {[to ?? id, subject].filter(Boolean).join(", ")}</span>;
  return (
    <tr role="row">
      <th role="rowheader" scope="row" data-label={t("mails.column.mail")}>
        {to ?? t("mails.unreadable")}
        {subject !== null && (
          <div className="hint" dir="auto">
            {subject}
          </div>
        )}
        <div className="hint">
          {t("mails.written")} <LocalTime at={createdAt} brief />
        </div>
      </th>
      <td role="cell" data-label={t("mails.column.attempts")}>
        {new Intl.NumberFormat(i18n.language).format(attempts)}
      </td>
      <td role="cell" data-label={t("mails.column.next")}>
        {nextAt === null ? t("mails.givenUp") : <LocalTime at={nextAt} brief />}
      </td>
      <td role="cell" className="address" data-label={t("mails.column.error")}>
        {error ?? t("mails.noError")}
      </td>
      <td role="cell" data-label={t("mails.column.actions")}>
        <Form className="button-row" method="post" action="/admin/mails">
          <button className="button button-quiet" type="submit" name="mail" value={id}>
            {t("mails.send")}
            {name}
          </button>{" "}
          <Link className="button button-quiet" to={`/admin/mails/delete?mail=${id}`}>
            {t("mails.delete")}
            {name}
          </Link>
        </Form>
      </td>
    </tr>
  );
}
