import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { FormPage } from "~/ui/form/form-page";
import { LocalTime } from "~/ui/local-time";
import { withReturnTo } from "~/platform/http/return-to";
import type { AccessGrant } from "~/accounts/access-grants.server";

const KINDS = ["session", "token", "share", "schedule"] as const satisfies AccessGrant["kind"][];

interface ConfirmElsewhereProps {
  token: string;
  email: string;
  accessGrants: AccessGrant[];
}

/** Confirmation of an address in a browser that is not signed in to its account: unchecked access ends. */
export function ConfirmElsewhere({ token, email, accessGrants }: ConfirmElsewhereProps) {
  const { t } = useTranslation("account");
  const path = `/account/verify?token=${encodeURIComponent(token)}`;
  return (
    <FormPage
      heading={t("verify.confirmHeading")}
      lead={<p>{t("verify.elsewhere.lead", { email })}</p>}
      action={path}
      submit={t("verify.confirmSubmit")}
      after={
        <p>
          {t("verify.elsewhere.yours")} <Link to={withReturnTo("/login", path)}>{t("verify.elsewhere.signIn")}</Link>
        </p>
      }
    >
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="elsewhere" value="yes" />
      {accessGrants.length > 0 && (
        <>
          <h2>{t("verify.elsewhere.heading")}</h2>
          <p>{t("verify.elsewhere.text")}</p>
        </>
      )}
      {KINDS.map((kind) => (
        <Kept key={kind} kind={kind} accessGrants={accessGrants.filter((grant) => grant.kind === kind)} />
      ))}
    </FormPage>
  );
}

function Kept({ kind, accessGrants }: { kind: AccessGrant["kind"]; accessGrants: AccessGrant[] }) {
  const { t } = useTranslation("account");
  if (accessGrants.length === 0) return null;
  return (
    <fieldset className="field choices">
      <legend>{t(`verify.elsewhere.${kind}`)}</legend>
      {accessGrants.map(({ id, name, createdAt }) => (
        <label className="checkbox" key={id}>
          <input type="checkbox" name="keep" value={id} />
          <span>
            {t("verify.elsewhere.keep")} <bdi className="breakable">{name ?? t("sessions.unknownBrowser")}</bdi>,{" "}
            {t("verify.elsewhere.since")} <LocalTime at={createdAt} brief />
          </span>
        </label>
      ))}
    </fieldset>
  );
}
