import { Form, Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { useLanguagePath } from "~/ui/use-language-path";

/** Explains why the user cannot buy, with a contact, and a button to continue after the problem is solved. */
export function AmbiguousCustomer({ supportEmail }: { supportEmail: string | null }) {
  const { t } = useTranslation("billing");
  const languagePath = useLanguagePath();
  return (
    <section aria-labelledby="ambiguous">
      <h2 id="ambiguous">{t("problem.several.heading")}</h2>
      <p className="lead">{t("problem.several.text")}</p>
      <p>
        <Link to={`${languagePath("/contact")}?topic=billing`}>{t("ambiguous.contact")}</Link>
        {supportEmail && (
          <>
            {" "}
            {t("ambiguous.or")} <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          </>
        )}
      </p>
      <Form method="post" action="/setup">
        <button className="button button-quiet" type="submit" name="again" value="customer">
          {t("ambiguous.again")}
        </button>
      </Form>
    </section>
  );
}
