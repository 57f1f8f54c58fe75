import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { LocalTime } from "~/ui/local-time";

interface PasskeyListProps {
  action: string;
  passkeys: { id: string; name: string; createdAt: number; lastUsedAt: number | null }[];
  /** False if the last sign-in is too long ago. */
  removable: boolean;
}

/** A user's passkeys, with buttons to remove them. */
export function PasskeyList({ action, passkeys, removable }: PasskeyListProps) {
  const { t } = useTranslation("factors");
  return (
    <>
      <ul className="session-list">
        {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
          <li key={id}>
            <div>
              <strong>
                <bdi className="breakable">{name}</bdi>
              </strong>
              <p className="hint">
                {t("passkeys.since")} <LocalTime at={createdAt} brief />
                {lastUsedAt !== null && (
                  <>
                    , {t("passkeys.used")} <LocalTime at={lastUsedAt} brief />
                  </>
                )}
              </p>
            </div>
            {removable && (
              <Form method="post" action={action}>
                <button className="button button-quiet" type="submit" name="remove" value={id}>
                  {t("passkeys.remove")}
                  <span className="visually-hidden">: {name}</span>
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {!removable && (
        <p>
          {t("passkeys.removeLater")} <Link to="/account/second-factor/off">{t("off.title")}</Link>
        </p>
      )}
    </>
  );
}
