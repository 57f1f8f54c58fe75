import { Form } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon";
import { LocalTime } from "~/ui/local-time";

export interface SessionView {
  id: string;
  browser: string | null;
  /** Unix time in ms. */
  createdAt: number;
  seenAt: number;
  current: boolean;
}

/** A user's sessions, with buttons to sign out. */
export function SessionList({ sessions }: { sessions: SessionView[] }) {
  const { t } = useTranslation("account");
  return (
    <>
      <ul className="session-list">
        {sessions.map(({ id, browser, createdAt, seenAt, current }) => (
          <li key={id}>
            <div>
              <strong>{browser ?? t("sessions.unknownBrowser")}</strong>{" "}
              {current && (
                <span className="state state-good">
                  <Icon name="check" /> {t("sessions.current")}
                </span>
              )}
              <p className="hint">
                {t("sessions.since")} <LocalTime at={createdAt} brief />, {t("sessions.seen")} <LocalTime at={seenAt} brief />
              </p>
            </div>
            {!current && (
              <Form method="post" action="/account/sessions">
                <button className="button button-quiet" type="submit" name="session" value={id}>
                  {t("sessions.end")}
                  <span className="visually-hidden">: {browser ?? t("sessions.unknownBrowser")}</span>
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <p className="hint">{t("sessions.zone")}</p>
      <Form method="post" action="/account/sessions">
        <button className="button button-quiet" type="submit" name="session" value="everywhere">
          {t("sessions.endAll")}
        </button>
      </Form>
    </>
  );
}
