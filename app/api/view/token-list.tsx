import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { LocalTime } from "~/ui/local-time";
import { SCOPE_TEXTS, type TokenView } from "~/api/scopes";

/** A user's tokens, each with a button to revoke it. */
export function TokenList({ tokens, action }: { tokens: TokenView[]; action: string }) {
  const { t, i18n } = useTranslation("tokens");
  const list = new Intl.ListFormat(i18n.language, { type: "unit" });
  return (
    <ul className="session-list">
      {tokens.map(({ id, name, ending, scopes, createdAt, expiresAt, expired, lastUsedAt }) => (
        <li key={id}>
          <div>
            <strong className="breakable">
              <bdi>{name}</bdi>
            </strong>{" "}
            {expired && (
              <span className="state">
                <Icon name="alert" /> {t("list.expired")}
              </span>
            )}
            <p className="hint">
              {t("list.ending")}{" "}
              <code dir="ltr" translate="no">
                {`…${ending}`}
              </code>
            </p>
            <p className="hint">
              {t("list.may")} {list.format(scopes.map((scope) => t(`scope.${SCOPE_TEXTS[scope]}`)))}
            </p>
            <p className="hint">
              {t("list.created")} <LocalTime at={createdAt} dateOnly />,{" "}
              {expiresAt === null ? (
                t("list.forever")
              ) : (
                <>
                  {t("list.until")} <LocalTime at={expiresAt} dateOnly />
                </>
              )}
              ,{" "}
              {lastUsedAt === null ? (
                t("list.unused")
              ) : (
                <>
                  {t("list.used")} <LocalTime at={lastUsedAt} brief />
                </>
              )}
            </p>
          </div>
          <Form method="post" action={action}>
            <button className="button button-quiet" type="submit" name="revoke" value={id}>
              {t("list.revoke")}
              <span className="visually-hidden">: {name}</span>
            </button>
          </Form>
        </li>
      ))}
    </ul>
  );
}
