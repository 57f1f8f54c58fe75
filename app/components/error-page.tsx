import { Link, useLocation } from "@remix-run/react";
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import { NO_ANSWER, type ErrorKind } from "~/lib/error-status";
import { RequestContext } from "./request-context";

/** What went wrong in the visitor's language, a way on, and the reference that is also in the log. */
export function ErrorPage({ status, kind }: { status: number; kind: ErrorKind }) {
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
      <p className="error-ways">
        {(status >= 500 || status === NO_ANSWER) && (
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

/** That of the request which brought this page; an error that scripts met later is another one, which a retry shows. */
function useReference(): string {
  const { requestId, entryKey } = useContext(RequestContext);
  return useLocation().key === entryKey ? requestId : "";
}
