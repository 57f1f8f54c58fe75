import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { Locale } from "~/platform/i18n/i18n";
import { LocalTime } from "~/ui/local-time";

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

/** Invitations; open ones can be sent again and taken back. */
export function InvitationTable({ invitations, path }: { invitations: InvitationView[]; path: string }) {
  const { t } = useTranslation("admin");
  return (
    <table className="data-table" role="table">
      <caption className="visually-hidden">{t("invitations.list")}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {(["email", "sent", "state", "action"] as const).map((column) => (
            <th key={column} role="columnheader" scope="col">
              {t(`invitations.column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {invitations.map((invitation) => (
          <tr key={invitation.id} role="row">
            <th role="rowheader" scope="row" data-label={t("invitations.column.email")}>
              {invitation.email}
              <div className="hint">{t(`invitations.language.${invitation.locale}`)}</div>
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
                  <Deed name="again" email={invitation.email} /> <Deed name="takeBack" email={invitation.email} />
                </Form>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Deed({ name, email }: { name: "again" | "takeBack"; email: string }) {
  const { t } = useTranslation("admin");
  return (
    <button className="button button-quiet" type="submit" name="do" value={name}>
      {t(`invitations.${name}`)}
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
