import {
  data,
  redirect,
  type ActionFunctionArgs,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { HostedSignIn } from "~/accounts/view/hosted-sign-in";
import { FormPage } from "~/ui/form/form-page";
import { PasswordField } from "~/ui/form/password-field";
import { Icon } from "~/ui/icon";
import { TextField } from "~/ui/form/text-field";
import { signInSchema } from "~/accounts/forms.server";
import { errorOf } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { attemptOf } from "~/accounts/password-attempt.server";
import { isHostedProblem, isLocalProblem } from "~/accounts/hosted-problems";
import { accountPageMeta } from "~/platform/forms/page-texts.server";
import { pageMeta } from "~/platform/http/page-meta";
import { readForm, textField } from "~/platform/forms/read-form";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { signInTarget, withReturnTo } from "~/platform/http/return-to";
import { WrongCredentials } from "~/accounts/sign-in-errors";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { signIn } from "~/accounts/sign-in.server";

export const handle = { i18n: ["account"] };
export const clientLoader = preloadNamespaces(["account"]);

/** With `again=yes`, a signed-in user signs in again: some pages require a recent sign-in. */
export async function loader(args: LoaderFunctionArgs) {
  const { request, context } = args;
  const { searchParams } = new URL(request.url);
  const isAgain = searchParams.get("again") === "yes";
  const returnTo = signInTarget(searchParams.get("returnTo"));
  const { hosted } = context.services;
  const asked = searchParams.get("problem");
  // A problem is shown first, even if an older session still exists: that session may be the cause.
  const problem = (hosted ? isHostedProblem(asked) : isLocalProblem(asked)) ? asked : null;
  const user = await context.visitor.user();
  // With a session, "expired" means that the sign-in was sent twice.
  const isIn = user !== null && (problem === null || problem === "expired");
  if (isIn && !isAgain) throw redirect(returnTo, 303);
  if (hosted && !problem) throw await hosted.start(request, { returnTo, fresh: isAgain });
  if (problem !== null) context.formProblem = true;
  const page = {
    meta: await accountPageMeta(args, "login"),
    returnTo,
    problem: isHostedProblem(problem) ? problem : null,
    canRegister: !context.services.registration.isClosed,
    again: isAgain && user ? user.email : null,
    hosted: hosted !== null,
    kept: (await context.visitor.session())?.kept != null,
  };
  return data(page, page.problem === "unavailable" ? { status: 503, headers: { "Retry-After": "60" } } : {});
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { authenticatorFor, throttle, hosted } = context.services;
  if (hosted) return methodNotAllowed();
  const copy = request.clone();
  const form = await readForm(request);
  const sent = await parseSentForm(request, context, form, signInSchema);
  if (!sent.value) return sent.refuse();

  const { email } = sent.value;
  const guess = await attemptOf(context, email);
  const attempt = await throttle.signIn(guess);
  if (!attempt.granted) return sent.postpone("guesses", attempt.retryAt);
  return sent.unlessBusy(async () => {
    try {
      const user = await authenticatorFor(guess).authenticate("local", copy);
      await throttle.succeeded(guess);
      const target = signInTarget(textField(form, "returnTo"));
      const secondStep = await signIn({ request, context }, user, { returnTo: target });
      return redirect(secondStep ?? target, 303);
    } catch (error) {
      if (error instanceof WrongCredentials) return sent.refuse({ email: "sign_in" });
      throw error;
    }
  }, () => throttle.refund(guess));
}

/** `Retry-After` of the action or of the loader. */
export const headers: HeadersFunction = ({ actionHeaders, loaderHeaders }) =>
  actionHeaders.has("Retry-After") ? actionHeaders : loaderHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Login() {
  const { returnTo, hosted, problem, canRegister, again, kept } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("account");
  if (hosted) return <HostedSignIn problem={problem} returnTo={returnTo} />;
  const query = `?returnTo=${encodeURIComponent(returnTo)}`;

  return (
    <FormPage
      heading={t("login.heading")}
      lead={(problem || again !== null || kept) && <Lead problem={problem} isAgain={again !== null} kept={kept} />}
      answer={answer}
      action={`/login${query}${again === null ? "" : "&again=yes"}`}
      submit={t("login.submit")}
      after={
        <>
          <p>
            <Link to={withReturnTo("/forgot-password", returnTo)}>{t("login.forgot")}</Link>
          </p>
          {canRegister && (
            <p>
              {t("login.noAccount")} <Link to={`/register${query}`}>{t("login.register")}</Link>
            </p>
          )}
        </>
      }
    >
      <input type="hidden" name="returnTo" value={returnTo} />
      <TextField
        id="email"
        name="email"
        label={t("field.email")}
        error={errorOf(answer, "email")}
        defaultValue={answer?.values.email ?? again ?? undefined}
        type="email"
        autoComplete="username"
        required
      />
      <PasswordField
        id="password"
        name="password"
        label={t("field.password")}
        error={errorOf(answer, "password")}
        autoComplete="current-password"
      />
    </FormPage>
  );
}

function Lead({ problem, isAgain, kept }: { problem: string | null; isAgain: boolean; kept: boolean }) {
  const { t } = useTranslation("account");
  if (isLocalProblem(problem)) {
    return (
      <p className="notice" role="alert">
        <Icon name="alert" />
        <span>{t(`hosted.problem.${problem}`)}</span>
      </p>
    );
  }
  if (isAgain) return <p>{t(kept ? "login.againKept" : "login.again")}</p>;
  return <p>{t("login.kept")}</p>;
}
