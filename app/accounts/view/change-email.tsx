import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { PageHeading } from "~/ui/dialog/page-heading";
import { FormPage } from "~/ui/form/form-page";
import { KeptNotice } from "~/ui/form/kept-notice";
import { PasswordField } from "~/ui/form/password-field";
import { TextField } from "~/ui/form/text-field";
import { errorOf, type FormAnswer } from "~/platform/forms/form-answer";
import type { UserView } from "~/accounts/user-view";
import { OutboxNotice } from "./outbox-notice";
import { Reauthentication } from "./reauthentication";

interface ChangeEmailProps {
  user: UserView;
  /** True after the mail was sent. */
  sent: boolean;
  /** True if the user of a hosted account has just re-authenticated. */
  proved: boolean;
  canProve: boolean;
  keepsMails: boolean;
  /** Form input sent after the end of the session. */
  kept: Partial<Record<string, string>> | null;
  answer?: FormAnswer;
}

const PATH = "/profile/email";

export function ChangeEmail({ user, sent, proved, canProve, keepsMails, kept, answer }: ChangeEmailProps) {
  const { t } = useTranslation("account");

  if (sent && !answer) {
    return (
      <article className="form-page wrap">
        <PageHeading>{t("email.sentHeading")}</PageHeading>
        <p className="lead">{user.isHosted ? t("email.sentHosted") : t("email.sent")}</p>
        <OutboxNotice shown={keepsMails} />
        <p>
          <Link to="/profile/general">{t("email.back")}</Link>
        </p>
      </article>
    );
  }
  if (!proved) return <Reauthentication heading={t("email.heading")} action={PATH} back="/profile/general" possible={canProve} />;
  return (
    <FormPage
      heading={t("email.heading")}
      lead={
        <>
          {kept && !answer && <KeptNotice />}
          <p>{t(user.isHosted ? "email.leadHosted" : "email.lead", { email: user.email })}</p>
        </>
      }
      answer={answer}
      action={PATH}
      submit={t("email.submit")}
      after={<Link to="/profile/general">{t("cancel")}</Link>}
    >
      <TextField
        id="email"
        name="email"
        label={t("field.newEmail")}
        error={errorOf(answer, "email")}
        defaultValue={answer?.values.email ?? kept?.email}
        type="email"
        autoComplete="email"
        required
      />
      {!user.isHosted && (
        <PasswordField
          id="currentPassword"
          name="currentPassword"
          label={t("field.currentPassword")}
          error={errorOf(answer, "currentPassword")}
          autoComplete="current-password"
        />
      )}
    </FormPage>
  );
}
