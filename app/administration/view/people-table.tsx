import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { LocalTime } from "~/ui/local-time";
import { DataTable } from "~/ui/data-table";

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

/** Table of accounts. */
export function PeopleTable({ people }: { people: PersonView[] }) {
  const { t } = useTranslation("admin");
  return (
    <DataTable
      caption={t("people.heading")}
      columns={(["person", "state", "created", "seen"] as const).map((column) => t(`people.column.${column}`))}
    >
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
    </DataTable>
  );
}

/** States of an account in separate words: there may be several. */
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
