import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "~/ui/copy-button";

/** New recovery codes, shown only once. */
export function RecoveryCodeList({ codes }: { codes: string[] }) {
  const { t } = useTranslation("factors");
  return (
    <article className="account-page wrap">
      <h1>{t("codes.newHeading")}</h1>
      <p className="lead">{t("codes.newLead")}</p>
      <ol className="recovery-codes" dir="ltr" translate="no">
        {codes.map((code) => (
          <li key={code}>
            <code className="secret-code">{code}</code>
          </li>
        ))}
      </ol>
      <CopyButton label={t("codes.copy")} text={codes.join("\n")} />
      <p>
        <Link className="button" to="/account/second-factor">
          {t("codes.kept")}
        </Link>
      </p>
    </article>
  );
}
