import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { FailedCheck } from "~/findings/check-view";
import { Icon } from "~/ui/icon";
import { PageAddress } from "~/findings/view/page-address";
import { useLanguagePath } from "~/ui/use-language-path";

type FailureProps = Pick<FailedCheck, "url" | "scope" | "reached" | "reason" | "detail" | "userAgent"> & {
  /** The next step. */
  children: ReactNode;
};

/** A page or a website that could not be checked: reason, advice, and another attempt. */
export function Failure({ url, scope, reached, reason, detail, userAgent, children }: FailureProps) {
  const { t } = useTranslation("check");
  const languagePath = useLanguagePath();
  const known = {
    httpStatus: reason.httpStatus ?? "?",
    contentType: detail.contentType ?? "?",
    userAgent,
  };

  return (
    <section className="check-page wrap">
      <h1>{t(`failure.heading.${scope}`)}</h1>
      <p className="lead">
        {t(`failure.scanned.${scope}`)} <PageAddress url={url} reached={reached} />
      </p>
      <p className="prose-line">{t("failure.hint")}</p>

      <div className="failure-reason">
        <Icon name="alert" size={28} />
        <div>
          <h2>{t("failure.reason")}</h2>
          <p>{t(`reasons.${reason.kind}.what`, known)}</p>
          <h2>{t("failure.try")}</h2>
          <p>{t(`reasons.${reason.kind}.try`, known)}</p>
          {detail.technical && (
            <p className="hint">
              {t("failure.technical")}:{" "}
              <code lang="en" translate="no">
                {detail.technical}
              </code>
            </p>
          )}
        </div>
      </div>

      <p>{t(`failure.notClean.${scope}`)}</p>
      <section aria-labelledby="again" className="again">
        <h2 id="again">{t("failure.again")}</h2>
        {children}
        <p>
          <Link className="target" to={`${languagePath("/contact")}?topic=scan-failed&url=${encodeURIComponent(url)}`}>
            {t("failure.ask")}
          </Link>
        </p>
      </section>
    </section>
  );
}
