import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { FormPage } from "~/ui/form/form-page";
import { KeptNotice } from "~/ui/form/kept-notice";
import { PasswordField } from "~/ui/form/password-field";
import { pageOrSetup } from "~/billing/guard.server";
import { requireUser } from "~/accounts/guard.server";
import { changePasswordSchema } from "~/accounts/forms.server";
import { answerHeaders } from "~/platform/http/answer-headers";
import { errorOf } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { attemptOfUser } from "~/accounts/password-attempt.server";
import { accountPageMeta } from "~/platform/forms/page-texts.server";
import { pageMeta } from "~/platform/http/page-meta";
import { readForm } from "~/platform/forms/read-form";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["account"] };
export const clientLoader = preloadNamespaces(["account"]);

const PATH = "/account/password";

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  if (user.subject !== null) throw redirect("/profile/general", 303);
  const kept = (await args.context.visitor.takeKept(PATH)) !== null;
  return data({ meta: await accountPageMeta(args, "password"), email: user.email, kept });
}

/** Changes the password, ends all other sessions, and gives this session a new id. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireUser(args);
  const { request, context } = args;
  const { accountsFor, throttle, passwordProblem } = context.services;
  const schema = changePasswordSchema(passwordProblem, [user.name, user.email]);
  const sent = await parseSentForm(request, context, await readForm(request), schema);
  const passwords = sent.value;
  if (!passwords) return sent.refuse();
  const guess = await attemptOfUser(context, user);
  const attempt = await throttle.signIn(guess);
  if (!attempt.granted) return sent.postpone("throttled", attempt.retryAt);

  const { currentPassword, newPassword } = passwords;
  const session = await context.visitor.session();
  return sent.unlessBusy(async () => {
    if (!(await accountsFor(guess).changePassword(user, currentPassword, newPassword, session?.idHash ?? ""))) {
      return sent.refuse({ currentPassword: "password_wrong" });
    }
    await throttle.succeeded(guess);
    await context.visitor.renew();
    await context.visitor.flash({ text: "passwordChanged", kind: "done" });
    return redirect(await pageOrSetup(context, user.id, "/profile/general"), 303);
  }, () => throttle.refund(guess));
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function ChangePassword() {
  const { email, kept } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("account");
  return (
    <FormPage
      heading={t("password.heading")}
      lead={
        <>
          {kept && !answer && <KeptNotice />}
          <p>{t("password.lead")}</p>
        </>
      }
      answer={answer}
      action={PATH}
      submit={t("password.submit")}
      after={<Link to="/profile/general">{t("cancel")}</Link>}
    >
      {/* Account of the password, for password managers. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <PasswordField
        id="currentPassword"
        name="currentPassword"
        label={t("field.currentPassword")}
        error={errorOf(answer, "currentPassword")}
        autoComplete="current-password"
      />
      <PasswordField
        id="newPassword"
        name="newPassword"
        label={t("field.newPassword")}
        hint={t("register.passwordHint")}
        error={errorOf(answer, "newPassword")}
        autoComplete="new-password"
      />
    </FormPage>
  );
}
