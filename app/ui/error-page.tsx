import { Link, useLocation } from "@remix-run/react";
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import { NO_ANSWER, type ErrorKind, type UnsentForm } from "~/platform/http/error-status";
import { RequestContext } from "./request-context";

/** Error message in the visitor's language, a link to continue, and the reference that is also in the log. */
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

/** A form with the typed values. It reloads the page, as the current state is no longer valid. */
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

/** Id of the request that loaded this page; empty for a later error in scripts, whose request has another id. */
function useReference(): string {
  const { requestId, entryKey } = useContext(RequestContext);
  return useLocation().key === entryKey ? requestId : "";
}
