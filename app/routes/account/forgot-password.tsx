import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { OutboxNotice } from "~/accounts/view/outbox-notice";
import { FormPage } from "~/ui/form/form-page";
import { TextField } from "~/ui/form/text-field";
import { emailSchema } from "~/accounts/forms.server";
import { answerHeaders } from "~/platform/http/answer-headers";
import { errorOf } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { localeOf } from "~/platform/i18n/i18n.server";
import { accountPageMeta } from "~/platform/forms/page-texts.server";
import { pageMeta } from "~/platform/http/page-meta";
import { readForm, textField } from "~/platform/forms/read-form";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { signInTarget, withReturnTo } from "~/platform/http/return-to";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["account"] };
export const clientLoader = preloadNamespaces(["account"]);

export async function loader(args: LoaderFunctionArgs) {
  const { hosted, keepsMails } = args.context.services;
  if (hosted) throw redirect("/login", 303);
  const { searchParams } = new URL(args.request.url);
  const sent = searchParams.has("sent");
  const returnTo = signInTarget(searchParams.get("returnTo"));
  return data({ meta: await accountPageMeta(args, "forgot", sent ? "sentHeading" : "title"), sent, returnTo, keepsMails });
}

/** The answer does not reveal whether an account has this address. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { accounts, throttle, hosted } = context.services;
  if (hosted) return methodNotAllowed();
  const form = await readForm(request);
  const sent = await parseSentForm(request, context, form, emailSchema);
  if (!sent.value) return sent.refuse();
  const attempt = await throttle.mail(context.clientAddress);
  if (!attempt.granted) return sent.postpone("throttled", attempt.retryAt);
  const { email } = sent.value;
  const returnTo = signInTarget(textField(form, "returnTo"));
  if (await throttle.recipient("forgot", email)) await accounts.requestPasswordReset(email, await localeOf(request), returnTo);
  return redirect(withReturnTo("/forgot-password?sent", returnTo), 303);
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function ForgotPassword() {
  const { sent, returnTo, keepsMails } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("account");
  const backToLogin = (
    <p>
      <Link to={withReturnTo("/login", returnTo)}>{t("forgot.back")}</Link>
    </p>
  );

  if (sent && !answer) {
    return (
      <article className="form-page wrap">
        <h1>{t("forgot.sentHeading")}</h1>
        <p className="lead">{t("forgot.sent")}</p>
        <OutboxNotice shown={keepsMails} />
        <p>{t("forgot.sentHint")}</p>
        {backToLogin}
      </article>
    );
  }
  return (
    <FormPage
      heading={t("forgot.heading")}
      lead={<p>{t("forgot.lead")}</p>}
      answer={answer}
      action={withReturnTo("/forgot-password", returnTo)}
      submit={t("forgot.submit")}
      after={backToLogin}
    >
      <input type="hidden" name="returnTo" value={returnTo} />
      <TextField
        id="email"
        name="email"
        label={t("field.email")}
        error={errorOf(answer, "email")}
        defaultValue={answer?.values.email}
        type="email"
        autoComplete="username"
        required
      />
    </FormPage>
  );
}
