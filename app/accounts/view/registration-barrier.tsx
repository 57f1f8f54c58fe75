import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { withReturnTo } from "~/platform/http/return-to";
import { useLanguagePath } from "~/ui/use-language-path";

interface RegistrationBarrierProps {
  barrier: "invite" | "closed";
  /** Address of the operator, if it is known. */
  operator: string | null;
  /** Target after signing in. */
  returnTo: string;
}

/** Explanation instead of the registration form: the reason, and the contact. */
export function RegistrationBarrier({ barrier, operator, returnTo }: RegistrationBarrierProps) {
  const { t } = useTranslation("account");
  const languagePath = useLanguagePath();
  return (
    <article className="form-page wrap">
      <h1>{t(`register.${barrier}.heading`)}</h1>
      <p className="lead">{t(`register.${barrier}.text`)}</p>
      <p>
        {t("register.ask")} <Link to={languagePath("/contact")}>{t("register.contact")}</Link>
        {operator && (
          <>
            {" "}
            {t("register.orMail")} <a href={`mailto:${operator}`}>{operator}</a>
          </>
        )}
      </p>
      <p>
        {t("register.haveAccount")} <Link to={withReturnTo("/login", returnTo)}>{t("register.login")}</Link>
      </p>
      <p>
        <Link to="/">{t("register.freeCheck")}</Link>
      </p>
    </article>
  );
}
