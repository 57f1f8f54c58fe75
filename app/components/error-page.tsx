import { Link } from "@remix-run/react";
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import { errorKindOf } from "~/lib/error-status";
import { RequestContext } from "./request-context";

/** What went wrong in the visitor's language, a way on, and the reference that is also in the log. */
export function ErrorPage({ status }: { status: number }) {
  const { t } = useTranslation("common");
  const { title, text } = t(`errors.${errorKindOf(status)}`, { returnObjects: true });
  const { requestId: reference } = useContext(RequestContext);

  return (
    <section className="error-page wrap">
      <p className="error-status" aria-hidden="true">
        {status}
      </p>
      <h1>{title}</h1>
      <p className="lead">{text}</p>
      <p>
        <Link className="button" to="/" reloadDocument>
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
