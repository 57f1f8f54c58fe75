import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { RegistrationBarrier } from "~/accounts/view/registration-barrier";
import { FormPage } from "~/ui/form/form-page";
import { PasswordField } from "~/ui/form/password-field";
import { TextField } from "~/ui/form/text-field";
import { useLanguagePath } from "~/ui/use-language-path";
import { pageOrSetup } from "~/billing/guard.server";
import { registerSchema } from "~/accounts/forms.server";
import { answerHeaders } from "~/platform/http/answer-headers";
import { errorOf } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { attemptOf } from "~/accounts/password-attempt.server";
import { localeOf } from "~/platform/i18n/i18n.server";
import { accountPageMeta } from "~/platform/forms/page-texts.server";
import { pageMeta } from "~/platform/http/page-meta";
import { readForm, textField } from "~/platform/forms/read-form";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { signInTarget, withReturnTo } from "~/platform/http/return-to";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { AdmissionUsed } from "~/accounts/registration.server";
import { signIn } from "~/accounts/sign-in.server";

export const handle = { i18n: ["account"] };
export const clientLoader = preloadNamespaces(["account"]);

export async function loader(args: LoaderFunctionArgs) {
  const { request, context } = args;
  const returnTo = signInTarget(new URL(request.url).searchParams.get("returnTo"));
  if (await context.visitor.user()) throw redirect(returnTo, 303);
  const { hosted, registration, env } = context.services;
  const admission = await registration.admissionOf(returnTo);
  const barrier = registration.barrierFor(admission);
  if (hosted && !barrier) throw await hosted.start(request, { returnTo, signUp: true });
  return data({ meta: await accountPageMeta(args, "register"), returnTo, barrier, operator: env.OPERATOR_EMAIL ?? null, invited: admission?.email ?? null });
}

/** Creates an account and signs in. The address of an existing account is a sign-in attempt, with its rate limit. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { accountsFor, throttle, hosted, passwordProblem, registration } = context.services;
  if (hosted) return methodNotAllowed();
  const form = await readForm(request);
  const admission = await registration.admissionOf(textField(form, "returnTo"));
  // The page shows the reason.
  if (registration.barrierFor(admission)) return redirect(withReturnTo("/register", signInTarget(textField(form, "returnTo"))), 303);
  if (admission?.email) form.set("email", admission.email);
  const sent = await parseSentForm(request, context, form, registerSchema(passwordProblem));
  const person = sent.value;
  if (!person) return sent.refuse();

  const mail = await throttle.mail(context.clientAddress);
  if (!mail.granted) return sent.postpone("throttled", mail.retryAt);
  const guess = await attemptOf(context, person.email);
  const attempt = await throttle.signIn(guess);
  if (!attempt.granted) return sent.postpone("throttled", attempt.retryAt);
  return sent.unlessBusy(async () => {
    const newcomer = { ...person, locale: await localeOf(request), admission };
    const accounts = accountsFor(guess, "register");
    const registered = await accounts.register(newcomer, (email) => throttle.recipient("register", email)).catch(usedMeanwhile);
    // The invitation's page shows that it is used.
    if (registered === "used") return redirect(signInTarget(textField(form, "returnTo")), 303);
    if (!registered) return sent.refuse({ email: "known" });
    const { user, isNew } = registered;
    await throttle.succeeded(guess);
    // An invitation is used up after registration.
    const target = signInTarget(admission?.email ? "" : textField(form, "returnTo"));
    const secondStep = await signIn({ request, context }, user, { returnTo: target });
    if (secondStep !== null) return redirect(secondStep, 303);
    if (isNew) await context.visitor.flash({ text: user.emailVerified ? "registeredByInvitation" : "registered", kind: "done" });
    return redirect(target === "/runs" ? await pageOrSetup(context, user.id, target) : target, 303);
  }, () => throttle.refund(guess));
}

function usedMeanwhile(error: unknown): "used" {
  if (error instanceof AdmissionUsed) return "used";
  throw error;
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Register() {
  const { returnTo, barrier, operator, invited } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("account");
  const languagePath = useLanguagePath();
  const query = `?returnTo=${encodeURIComponent(returnTo)}`;
  const isKnown = answer?.errors.some(({ field, message }) => field === "email" && message === t("problem.known"));

  if (barrier) return <RegistrationBarrier barrier={barrier} operator={operator} returnTo={returnTo} />;
  const lead = invited ? "register.invited" : returnTo.startsWith("/setup?") ? "register.onward" : "register.lead";
  return (
    <FormPage
      heading={t("register.heading")}
      lead={<p>{t(lead)}</p>}
      answer={answer}
      action={`/register${query}`}
      submit={t("register.submit")}
      after={
        <>
          {isKnown && (
            <p>
              <Link to={`/forgot-password${query}`}>{t("register.reset")}</Link>
            </p>
          )}
          <p>
            {t("register.haveAccount")} <Link to={`/login${query}`}>{t("register.login")}</Link>
          </p>
          <p>
            <Link to={languagePath("/privacy")}>{t("register.privacy")}</Link>
          </p>
        </>
      }
    >
      <input type="hidden" name="returnTo" value={returnTo} />
      <TextField
        id="name"
        name="name"
        label={t("field.name")}
        error={errorOf(answer, "name")}
        defaultValue={answer?.values.name}
        type="text"
        autoComplete="name"
        required
      />
      <TextField
        id="email"
        name="email"
        label={t("field.email")}
        hint={t(invited ? "register.invitedHint" : "register.emailHint")}
        error={errorOf(answer, "email")}
        defaultValue={invited ?? answer?.values.email}
        readOnly={invited !== null}
        type="email"
        autoComplete="email"
        required
      />
      <PasswordField
        id="password"
        name="password"
        label={t("field.password")}
        hint={t("register.passwordHint")}
        error={errorOf(answer, "password")}
        autoComplete="new-password"
      />
    </FormPage>
  );
}
