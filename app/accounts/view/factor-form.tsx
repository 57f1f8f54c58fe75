import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { FormAnswer } from "~/platform/forms/form-answer";
import { FormPage } from "~/ui/form/form-page";
import { KeptNotice } from "~/ui/form/kept-notice";
import { FactorField, OtherCode, OwnPassword, type AskedFactors } from "./code-field";

interface FactorFormProps {
  /** Key of the texts `heading` and `submit`. */
  page: "codes" | "off";
  lead: string;
  path: string;
  factors: AskedFactors;
  asksPassword: boolean;
  /** True if the form was sent after the end of the session. */
  kept: boolean;
  answer?: FormAnswer;
  danger?: boolean;
}

/** Form that requires the second factor before a change of it. */
export function FactorForm({ page, lead, path, factors, asksPassword, kept, answer, danger }: FactorFormProps) {
  const { t } = useTranslation("factors");
  return (
    <FormPage
      heading={t(`${page}.heading`)}
      lead={
        <>
          {kept && !answer && <KeptNotice isEmpty />}
          <p>{lead}</p>
        </>
      }
      answer={answer}
      action={factors.recovery ? `${path}?with=recovery` : path}
      submit={t(`${page}.submit`)}
      danger={danger}
      after={
        <>
          <OtherCode factors={factors} path={path} />
          <p>
            <Link to="/account/second-factor">{t("cancel")}</Link>
          </p>
        </>
      }
    >
      <FactorField factors={factors} purpose="use" answer={answer} />
      <OwnPassword asked={asksPassword} answer={answer} />
    </FormPage>
  );
}
