import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { PageHeading } from "~/ui/dialog/page-heading";
import { FormPage } from "~/ui/form/form-page";

interface ReauthenticationProps {
  /** Heading of the next page. */
  heading: string;
  /** Path of the next page. */
  action: string;
  /** Path of the link to cancel. */
  back: string;
  /** False if the provider is no longer set up. */
  possible: boolean;
}

/** Re-authentication at the hosted provider, before a sensitive action. */
export function Reauthentication({ heading, action, back, possible }: ReauthenticationProps) {
  const { t } = useTranslation("account");
  if (!possible) {
    return (
      <article className="form-page wrap">
        <PageHeading>{heading}</PageHeading>
        <p className="lead">{t("prove.impossible")}</p>
        <p>
          <Link to={back}>{t("cancel")}</Link>
        </p>
      </article>
    );
  }
  return (
    <FormPage
      heading={heading}
      lead={<p>{t("prove.lead")}</p>}
      action={action}
      submit={t("prove.submit")}
      after={<Link to={back}>{t("cancel")}</Link>}
    />
  );
}
