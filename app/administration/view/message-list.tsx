import { Link } from "@remix-run/react";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { MessageRow } from "~/administration/messages.server";
import { languageName } from "~/platform/i18n/language-name";
import { LocalTime } from "~/ui/local-time";

/** Messages of the contact form, in full. */
export function MessageList({ messages }: { messages: MessageRow[] }) {
  return messages.map((message) => <Message key={message.id} message={message} />);
}

function Message({ message }: { message: MessageRow }) {
  const { t, i18n } = useTranslation("admin");
  const { id, email, subject, text, locale, createdAt, postedAt } = message;
  const which = (
    <span className="visually-hidden">
      {" "}
      {email}, <LocalTime at={createdAt} brief />
    </span>
  );
  return (
    <article className="message">
      <h2 lang={locale} dir="auto">
        {subject}
      </h2>
      <dl className="facts-list">
        <div>
          <dt>{t("messages.from")}</dt>
          <dd>{email}</dd>
        </div>
        <div>
          <dt>{t("messages.at")}</dt>
          <dd>
            <LocalTime at={createdAt} brief />
          </dd>
        </div>
        <div>
          <dt>{t("messages.language")}</dt>
          <dd>{languageName(locale, i18n.language)}</dd>
        </div>
        <div>
          <dt>{t("messages.mail")}</dt>
          <dd>
            {postedAt === null ? (
              t("messages.notPosted")
            ) : (
              <>
                {t("messages.posted")} <LocalTime at={postedAt} brief />
              </>
            )}
          </dd>
        </div>
      </dl>
      <p className="message-text" lang={locale} dir="auto">
        {text.split("\n").map((line, index) => (
          <Fragment key={index}>
            {index > 0 && <br />}
            {line}
          </Fragment>
        ))}
      </p>
      <p className="button-row">
        <a className="button button-quiet" href={answerTo(message)}>
          {t("messages.answer")}
          {which}
        </a>{" "}
        <Link className="button button-quiet" to={`/admin/messages/delete?message=${id}`}>
          {t("messages.delete")}
          {which}
        </Link>
      </p>
    </article>
  );
}

/** `mailto:` link (RFC 6068); its `@` is not escaped. */
function answerTo({ email, subject }: MessageRow): string {
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}?subject=${encodeURIComponent(`Re: ${subject}`)}`;
}
