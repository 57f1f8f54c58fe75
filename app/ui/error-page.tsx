import { Link, useLocation } from "@remix-run/react";
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import { NO_ANSWER, type ErrorKind, type UnsentForm } from "~/platform/http/error-status";
import { RequestContext } from "./request-context";

/** What went wrong in the visitor's language, a way on, and the reference that is also in the log. */
export function ErrorPage({ status, kind, form = null }: { status: number; kind: ErrorKind; form?: UnsentForm | null }) {
  const { t } = useTranslation("common");
  const { title, text } = t(`errors.${kind}`, { returnObjects: true });
  const { pathname, search } = useLocation();
  const reference = useReference();

  return (
    <section className="error-page wrap">
      {status !== NO_ANSWER && (
        <p className="error-status" aria-hidden="true">
          {status}
        </p>
      )}
      <h1>{title}</h1>
      <p className="lead">{text}</p>
      {form && <SendAgain {...form} />}
      <p className="error-ways">
        {!form && (status >= 500 || status === NO_ANSWER) && (
          <a className="button" href={`${pathname}${search}`}>
            {t("errors.retry")}
          </a>
        )}{" "}
        <Link className="button button-quiet" to="/" reloadDocument>
          {t("errors.home")}
        </Link>
      </p>
      {reference && (
        <div className="reference">
          <p>{t("errors.reference", { reference })}</p>
          <p>{t("errors.referenceHint")}</p>
        </div>
      )}
    </section>
  );
}

/** A form with what was typed: it loads the page anew, as nothing here is right any more. */
function SendAgain({ action, fields }: UnsentForm) {
  const { t } = useTranslation("common");
  return (
    <form method="post" action={action}>
      {fields.map(([name, value], index) => (
        <input key={index} type="hidden" name={name} value={value} />
      ))}
      <p>{t("errors.formKept")}</p>
      <button className="button" type="submit">
        {t("errors.sendAgain")}
      </button>
    </form>
  );
}

/** That of the request which brought this page; an error that scripts met later is another one, which a retry shows. */
function useReference(): string {
  const { requestId, entryKey } = useContext(RequestContext);
  return useLocation().key === entryKey ? requestId : "";
}
