import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import type { UserView } from "~/accounts/user-view";

/** Signed-in user, and the state of the address: confirmed or not. */
export function AccountSummary({ user }: { user: UserView }) {
  const { t } = useTranslation("account");
  return (
    <dl className="facts-list">
      <div>
        <dt>{t("field.name")}</dt>
        <dd>{user.name}</dd>
      </div>
      <div>
        <dt>{t("field.email")}</dt>
        <dd>{user.email}</dd>
      </div>
      <div>
        <dt>{t("verification.label")}</dt>
        <dd>
          {user.emailVerified ? (
            <span className="state state-good">
              <Icon name="check" /> {t("verification.done")}
            </span>
          ) : (
            <>
              <span className="state">
                <Icon name="alert" /> {t("verification.open")}
              </span>{" "}
              <Link to="/account/verify">{t("verification.now")}</Link>
            </>
          )}
        </dd>
      </div>
    </dl>
  );
}

/** Form to sign out on this device. */
export function SignOutForm() {
  const { t } = useTranslation();
  return (
    <Form method="post" action="/logout">
      <button className="button button-quiet" type="submit">
        <Icon name="logout" />
        {t("nav.logout")}
      </button>
    </Form>
  );
}
