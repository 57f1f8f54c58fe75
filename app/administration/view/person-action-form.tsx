import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { actionsFor } from "~/administration/person-buttons";
import type { PersonView } from "./people-table";

interface PersonActionFormProps {
  person: PersonView & { subject: string | null };
  /** Whether this is the administrator's own account. */
  isSelf: boolean;
}

/** Buttons for actions on an account, each with an explanation. */
export function PersonActionForm({ person, isSelf }: PersonActionFormProps) {
  const { t } = useTranslation("admin");
  const path = `/admin/people/${person.id}`;
  return (
    <section aria-labelledby="actions">
      <h2 id="actions">{t("person.actions")}</h2>
      <Form method="post" action={path}>
        <dl className="facts-list action-list">
          {actionsFor(person, isSelf).map((action) => (
            <div key={action}>
              <dt>
                <button className="button button-quiet" type="submit" name="do" value={action} aria-describedby={`${action}-means`}>
                  {t(`person.action.${action}`)}
                </button>
              </dt>
              <dd id={`${action}-means`}>{t(`person.means.${action}`)}</dd>
            </div>
          ))}
        </dl>
      </Form>
      <p>{isSelf ? <Link to="/account/delete">{t("person.deleteOwn")}</Link> : <Link to={`${path}/delete`}>{t("person.delete")}</Link>}</p>
    </section>
  );
}
