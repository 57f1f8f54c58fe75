import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { useLanguagePath } from "~/ui/use-language-path";

interface ContactOptionsProps {
  email: string | null;
  phone: string | null;
  /** Retention of a message in days. */
  keptDays: number;
}

/** Helpful details for a message, other ways to reach the operator, and how messages are handled. */
export function ContactOptions({ email, phone, keptDays }: ContactOptionsProps) {
  const { t } = useTranslation("contact");
  const languagePath = useLanguagePath();
  return (
    <>
      <section aria-labelledby="helpful">
        <h2 id="helpful">{t("helpful.heading")}</h2>
        <ul>
          {t("helpful.items", { returnObjects: true }).map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
        <p>{t("helpful.secrets")}</p>
      </section>
      {(email || phone) && (
        <section aria-labelledby="ways">
          <h2 id="ways">{t("ways.heading")}</h2>
          <ul>
            {email && (
              <li>
                {t("ways.email")} <a href={`mailto:${email}`}>{email}</a>
              </li>
            )}
            {phone && (
              <li>
                {t("ways.phone")} <a href={`tel:${phone.replace(/[^+\d]/g, "")}`}>{phone}</a>
              </li>
            )}
          </ul>
        </section>
      )}
      <p>
        {t("kept", { days: keptDays })} <Link to={languagePath("/privacy")}>{t("privacy")}</Link>
      </p>
    </>
  );
}
