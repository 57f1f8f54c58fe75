import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { deedsFor } from "~/administration/person-deeds";
import type { PersonView } from "./people-table";

interface PersonDeedsProps {
  person: PersonView & { subject: string | null };
  /** The administrator's own account. */
  isSelf: boolean;
}

/** Buttons for what an administrator can do to an account, each with what it means. */
export function PersonDeeds({ person, isSelf }: PersonDeedsProps) {
  const { t } = useTranslation("admin");
  const path = `/admin/people/${person.id}`;
  return (
    <section aria-labelledby="deeds">
      <h2 id="deeds">{t("person.deeds")}</h2>
      <Form method="post" action={path}>
        <dl className="facts-list deed-list">
          {deedsFor(person, isSelf).map((deed) => (
            <div key={deed}>
              <dt>
                <button className="button button-quiet" type="submit" name="do" value={deed} aria-describedby={`${deed}-means`}>
                  {t(`person.deed.${deed}`)}
                </button>
              </dt>
              <dd id={`${deed}-means`}>{t(`person.means.${deed}`)}</dd>
            </div>
          ))}
        </dl>
      </Form>
      <p>{isSelf ? <Link to="/account/delete">{t("person.deleteOwn")}</Link> : <Link to={`${path}/delete`}>{t("person.delete")}</Link>}</p>
    </section>
  );
}
