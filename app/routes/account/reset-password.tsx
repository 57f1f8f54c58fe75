import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { FormPage } from "~/ui/form/form-page";
import { PasswordField } from "~/ui/form/password-field";
import { pageOrSetup } from "~/billing/guard.server";
import { resetPasswordSchema } from "~/accounts/forms.server";
import { answerHeaders } from "~/platform/http/answer-headers";
import { errorOf } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { accountPageMeta } from "~/platform/forms/page-texts.server";
import { pageMeta } from "~/platform/http/page-meta";
import { readForm, textField } from "~/platform/forms/read-form";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { signInTarget, withReturnTo } from "~/platform/http/return-to";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { signIn } from "~/accounts/sign-in.server";

export const handle = { i18n: ["account"] };
export const clientLoader = preloadNamespaces(["account"]);

export async function loader(args: LoaderFunctionArgs) {
  const { accounts, hosted } = args.context.services;
  if (hosted) throw redirect("/login", 303);
  const { searchParams } = new URL(args.request.url);
  const token = searchParams.get("token") ?? "";
  const owner = await accounts.ownerOfReset(token);
  return data({
    meta: await accountPageMeta(args, "reset", owner === null ? "goneHeading" : "title"),
    // Opening the link changes nothing: mail programs open links automatically.
    token,
    returnTo: signInTarget(searchParams.get("returnTo")),
    email: owner?.email ?? null,
    isFirst: owner !== null && (await accounts.hasNoPassword(owner)),
  });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { accounts, accountsFor, hosted, passwordProblem } = context.services;
  if (hosted) return methodNotAllowed();
  const form = await readForm(request);
  const owner = await accounts.ownerOfReset(textField(form, "token"));
  if (!owner) return redirect("/reset-password", 303);
  const schema = resetPasswordSchema(passwordProblem, [owner.name, owner.email]);
  const sent = await parseSentForm(request, context, form, schema);
  const chosen = sent.value;
  if (!chosen) return sent.refuse();
  const isFirst = await accounts.hasNoPassword(owner);
  return sent.unlessBusy(async () => {
    const reset = accountsFor({ email: owner.email, address: context.clientAddress, browser: null }, "reset");
    const user = await reset.resetPassword(textField(form, "token"), chosen.password);
    if (!user) return redirect("/reset-password", 303);
    const target = signInTarget(textField(form, "returnTo"));
    const secondStep = await signIn({ request, context }, user, { isTold: true, returnTo: target });
    await context.visitor.flash({ text: isFirst && secondStep === null ? "passwordChosen" : "passwordReset", kind: "done" });
    if (secondStep !== null) return redirect(secondStep, 303);
    return redirect(target === "/runs" ? await pageOrSetup(context, user.id, target) : target, 303);
  });
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function ResetPassword() {
  const { token, returnTo, email, isFirst } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("account");

  if (email === null) {
    return (
      <article className="form-page wrap">
        <h1>{t("reset.goneHeading")}</h1>
        <p className="lead">{t("reset.gone")}</p>
        <p>
          <Link className="button" to={withReturnTo("/forgot-password", returnTo)}>
            {t("reset.again")}
          </Link>
        </p>
        <p>
          {t("reset.alreadySet")} <Link to={withReturnTo("/login", returnTo)}>{t("reset.login")}</Link>
        </p>
      </article>
    );
  }
  return (
    <FormPage
      heading={t("reset.heading")}
      lead={<p>{t(isFirst ? "reset.leadFirst" : "reset.lead")}</p>}
      answer={answer}
      action={withReturnTo(`/reset-password?token=${token}`, returnTo)}
      submit={t("reset.submit")}
    >
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="returnTo" value={returnTo} />
      {/* Account of the password, for password managers. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <PasswordField
        id="password"
        name="password"
        label={t("field.newPassword")}
        hint={t("register.passwordHint")}
        error={errorOf(answer, "password")}
        autoComplete="new-password"
      />
    </FormPage>
  );
}
