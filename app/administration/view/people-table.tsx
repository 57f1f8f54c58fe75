import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { LocalTime } from "~/ui/local-time";

export interface PersonView {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  isAdministrator: boolean;
  isDisabled: boolean;
  /** Unix time in ms. */
  createdAt: number;
  seenAt: number | null;
}

/** Accounts. Explicit roles, as style sheets make a list of the table on small screens. */
export function PeopleTable({ people }: { people: PersonView[] }) {
  const { t } = useTranslation("admin");
  return (
    <table className="data-table" role="table">
      <caption className="visually-hidden">{t("people.heading")}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {(["person", "state", "created", "seen"] as const).map((column) => (
            <th key={column} role="columnheader" scope="col">
              {t(`people.column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {people.map((person) => (
          <tr key={person.id} role="row">
            <th role="rowheader" scope="row" data-label={t("people.column.person")}>
              <Link to={`/admin/people/${person.id}`}>{person.email}</Link>
              <div className="hint">{person.name}</div>
            </th>
            <td role="cell" data-label={t("people.column.state")}>
              <PersonState person={person} />
            </td>
            <td role="cell" data-label={t("people.column.created")}>
              <LocalTime at={person.createdAt} dateOnly />
            </td>
            <td role="cell" data-label={t("people.column.seen")}>
              {person.seenAt === null ? t("people.never") : <LocalTime at={person.seenAt} brief />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Each state in words of its own: an account may have several. */
export function PersonState({ person }: { person: Pick<PersonView, "emailVerified" | "isAdministrator" | "isDisabled"> }) {
  const { t } = useTranslation("admin");
  return (
    <ul className="plain-list">
      {person.isDisabled && (
        <li className="state state-bad">
          <Icon name="alert" /> {t("people.state.disabled")}
        </li>
      )}
      <li className={person.emailVerified ? "state state-good" : "state"}>
        <Icon name={person.emailVerified ? "check" : "alert"} /> {t(person.emailVerified ? "people.state.confirmed" : "people.state.unconfirmed")}
      </li>
      {person.isAdministrator && (
        <li className="state">
          <Icon name="user" /> {t("people.state.administrator")}
        </li>
      )}
    </ul>
  );
}
