import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { FormPage } from "~/components/form/form-page";

interface ProveFirstProps {
  /** Of the page that comes afterwards. */
  heading: string;
  /** Its path. */
  action: string;
  /** Who does not want to goes there. */
  back: string;
}

/** In front of what only the person themselves may do: they sign in once more at their provider. */
export function ProveFirst({ heading, action, back }: ProveFirstProps) {
  const { t } = useTranslation("account");
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
