import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { Locale } from "~/platform/i18n/i18n";
import { languageName } from "~/platform/i18n/language-name";
import { LocalTime } from "~/ui/local-time";
import { DataTable } from "~/ui/data-table";

export interface InvitationView {
  id: string;
  email: string;
  locale: Locale;
  invitedBy: string | null;
  /** Unix time in ms. */
  sentAt: number;
  expiresAt: number;
  usedAt: number | null;
  isExpired: boolean;
}

/** Invitations; open ones can be sent again and withdrawn. */
export function InvitationTable({ invitations, path }: { invitations: InvitationView[]; path: string }) {
  const { t, i18n } = useTranslation("admin");
  return (
    <DataTable
      caption={t("invitations.list")}
      columns={(["email", "sent", "state", "action"] as const).map((column) => t(`invitations.column.${column}`))}
    >
      {invitations.map((invitation) => (
        <tr key={invitation.id} role="row">
          <th role="rowheader" scope="row" data-label={t("invitations.column.email")}>
            {invitation.email}
            <div className="hint">{languageName(invitation.locale, i18n.language)}</div>
          </th>
          <td role="cell" data-label={t("invitations.column.sent")}>
            <LocalTime at={invitation.sentAt} brief />
            <div className="hint">{invitation.invitedBy === null ? t("audit.commandLine") : t("invitations.by", { name: invitation.invitedBy })}</div>
          </td>
          <td role="cell" data-label={t("invitations.column.state")}>
            <State invitation={invitation} />
          </td>
          <td role="cell" data-label={t("invitations.column.action")}>
            {invitation.usedAt === null && (
              <Form className="button-row" method="post" action={path}>
                <input type="hidden" name="id" value={invitation.id} />
                <input type="hidden" name="sentAt" value={invitation.sentAt} />
                <ActionButton action="again" email={invitation.email} /> <ActionButton action="takeBack" email={invitation.email} />
              </Form>
            )}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function ActionButton({ action, email }: { action: "again" | "takeBack"; email: string }) {
  const { t } = useTranslation("admin");
  return (
    <button className="button button-quiet" type="submit" name="do" value={action}>
      {t(`invitations.${action}`)}
      <span className="visually-hidden">: {email}</span>
    </button>
  );
}

function State({ invitation: { usedAt, expiresAt, isExpired } }: { invitation: InvitationView }) {
  const { t } = useTranslation("admin");
  if (usedAt !== null) {
    return (
      <>
        {t("invitations.used")} <LocalTime at={usedAt} dateOnly />
      </>
    );
  }
  return (
    <>
      {t(isExpired ? "invitations.expired" : "invitations.open")} <LocalTime at={expiresAt} dateOnly />
    </>
  );
}
