import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { LocalTime } from "~/ui/local-time";
import type { ShareView } from "./share-days";

/** The valid links to a report, each with a button to revoke it. */
export function ShareList({ path, shares }: { path: string; shares: ShareView[] }) {
  const { t } = useTranslation("history");
  return (
    <section aria-labelledby="links">
      <h2 id="links">{t("share.links")}</h2>
      {shares.length === 0 ? (
        <p>{t("share.none")}</p>
      ) : (
        <ul className="session-list">
          {shares.map(({ id, createdAt, expiresAt }) => (
            <li key={id}>
              <div>
                <p id={`share-${id}`}>
                  {t("share.madeAt")} <LocalTime at={createdAt} brief />
                </p>
                <p className="hint">
                  {t("share.until")} <LocalTime at={expiresAt} brief />
                </p>
              </div>
              <Form method="post" action={path}>
                <button className="button button-quiet" type="submit" name="remove" value={id} aria-describedby={`share-${id}`}>
                  {t("share.remove")}
                </button>
              </Form>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
