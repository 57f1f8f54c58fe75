import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { OutboxNotice } from "~/components/account/outbox-notice";
import { ProveFirst } from "~/components/account/prove-first";
import { FormPage } from "~/components/form/form-page";
import { KeptNotice } from "~/components/form/kept-notice";
import { PasswordField } from "~/components/form/password-field";
import { TextField } from "~/components/form/text-field";
import { isProved, requireEntitled, requireProof } from "~/guard.server";
import { changeEmailSchema } from "~/lib/account-forms.server";
import { answerHeaders } from "~/lib/answer-headers";
import { emailKey } from "~/lib/email-address";
import { errorOf } from "~/lib/form-answer";
import { parseSentForm } from "~/lib/form-answer.server";
import { accountPageMeta } from "~/lib/page-texts.server";
import { pageMeta } from "~/lib/page-meta";
import { readForm } from "~/lib/read-form";
import { textsFirst } from "~/lib/texts-first";
import { viewOfUser } from "~/lib/user-view";

export const handle = { i18n: ["account"] };
export const clientLoader = textsFirst(["account"]);

const PATH = "/profile/email";

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireEntitled(args);
  const { visitor, services } = args.context;
  const sent = new URL(args.request.url).searchParams.has("sent");
  return data({
    meta: await accountPageMeta(args, "email", sent),
    user: viewOfUser(user),
    sent,
    proved: await isProved(args),
    canProve: services.hosted !== null,
    keepsMails: services.keepsMails,
    kept: await visitor.takeKept(PATH),
  });
}

/** Nothing changes before the link in the mail to the new address has been opened. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireEntitled(args);
  await requireProof(args);
  const { request, context } = args;
  const { accounts, users, throttle, hosted } = context.services;
  const isHosted = user.subject !== null;
  const sent = await parseSentForm(request, context, await readForm(request), changeEmailSchema(!isHosted));
  if (!sent.value) return sent.refuse();
  const { email, currentPassword = "" } = sent.value;
  if (emailKey(email) === emailKey(user.email)) return sent.refuse({ email: "email_same" });

  const attempt = await throttle.signIn(user.email, context.clientAddress);
  const mail = await throttle.mail(context.clientAddress);
  if (!attempt.granted) return sent.postpone("throttled", attempt.retryAt);
  if (!mail.granted) return sent.postpone("throttled", mail.retryAt);

  if (user.subject !== null && hosted) {
    const { subject } = user;
    return sent.unlessBusy(async () => {
      if (!(await hosted.changeEmail(subject, email))) return sent.refuse({ email: "email_elsewhere" });
      // Before our own row: whoever sends the form again after a crash in between has the old address told all the same.
      await accounts.announceEmail(user, email);
      await users.setEmail(user.id, email);
      await throttle.succeeded(user.email, context.clientAddress);
      return redirect(`${PATH}?sent`, 303);
    }, user.email);
  }
  return sent.unlessBusy(async () => {
    const mayWriteTo = (address: string) => throttle.recipient("change", address);
    if (!(await accounts.requestEmail(user, email, currentPassword, mayWriteTo))) {
      return sent.refuse({ currentPassword: "password_wrong" });
    }
    await throttle.succeeded(user.email, context.clientAddress);
    return redirect(`${PATH}?sent`, 303);
  }, user.email);
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function ChangeEmail() {
  const { user, sent, proved, canProve, keepsMails, kept } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("account");

  if (sent && !answer) {
    return (
      <article className="form-page wrap">
        <h1>{t("email.sentHeading")}</h1>
        <p className="lead">{user.isHosted ? t("email.sentHosted") : t("email.sent")}</p>
        <OutboxNotice shown={keepsMails} />
        <p>
          <Link to="/profile/general">{t("email.back")}</Link>
        </p>
      </article>
    );
  }
  if (!proved) return <ProveFirst heading={t("email.heading")} action={PATH} back="/profile/general" possible={canProve} />;
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
