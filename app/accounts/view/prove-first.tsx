import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { PageHeading } from "~/ui/dialog/page-heading";
import { FormPage } from "~/ui/form/form-page";

interface ProveFirstProps {
  /** Of the page that comes afterwards. */
  heading: string;
  /** Its path. */
  action: string;
  /** Who does not want to goes there. */
  back: string;
  /** False where that provider is not set up any more. */
  possible: boolean;
}

/** In front of what only the person themselves may do: they sign in once more at their provider. */
export function ProveFirst({ heading, action, back, possible }: ProveFirstProps) {
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
