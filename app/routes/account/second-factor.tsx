import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { OwnPassword } from "~/accounts/view/code-field";
import { SecondFactorState } from "~/accounts/view/second-factor-state";
import { describeProblem, factorPage, requireLocalUser } from "~/accounts/second-factor/page.server";
import { withRecentSignIn } from "~/accounts/recent-sign-in.server";
import { AnswerSummary } from "~/ui/form/answer-summary";
import { SubmitButton } from "~/ui/form/submit-button";
import { KeptNotice } from "~/ui/form/kept-notice";
import { answerHeaders } from "~/platform/http/answer-headers";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { readForm } from "~/platform/forms/read-form";
import { pageMeta } from "~/platform/http/page-meta";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["factors", "account"] };
export const clientLoader = preloadNamespaces(["factors", "account"]);

const PATH = "/account/second-factor";

const schema = z.object({ currentPassword: z.string().optional() });

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLocalUser(args);
  const { meta, asksPassword, kept } = await factorPage(args, "overview");
  const { secondFactors, passkeys } = args.context.services;
  const state = await secondFactors.stateOf(user.id);
  return data({ meta, asksPassword, kept, emailVerified: user.emailVerified, state, isOn: await secondFactors.hasSecondFactor(user.id), canHavePasskeys: passkeys.isPossible });
}

/** Creates the secret for an app; the next page shows it. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireLocalUser(args);
  const { request, context } = args;
  // An unconfirmed address may belong to a stranger, whom the second factor would lock out.
  if (!user.emailVerified) return redirect("/account/verify", 303);
  const sent = await parseSentForm(request, context, await readForm(request), schema, await describeProblem(request));
  return withRecentSignIn(context, user, sent, sent.value?.currentPassword ?? "", async () => {
    const isBegun = await context.services.secondFactors.begin(user.id);
    return redirect(isBegun ? `${PATH}/app` : PATH, 303);
  });
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function SecondFactor() {
  const { asksPassword, kept, emailVerified, state, isOn, canHavePasskeys } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation(["factors", "common"]);
  return (
    <article className="account-page wrap">
      <AnswerSummary answer={answer} />
      <h1>{t("overview.heading")}</h1>
      {kept && !answer && <KeptNotice isButton />}
      {isOn ? <SecondFactorState {...state} /> : <p className="lead">{t("overview.lead")}</p>}
      {!emailVerified && (
        <>
          <p>{t("overview.unconfirmed")}</p>
          <p>
            <Link className="button" to="/account/verify">
              {t("overview.confirm")}
            </Link>
          </p>
        </>
      )}
      {emailVerified && state.appSince === null && (
        <section aria-labelledby="app">
          <h2 id="app">{t("overview.app")}</h2>
          <p>{t("overview.appText")}</p>
          <Form className="form" method="post" action={PATH} noValidate>
            <OwnPassword asked={asksPassword} answer={answer} />
            <SubmitButton label={t("overview.submit")} busyLabel={t("common:form.busy")} action={PATH} />
          </Form>
        </section>
      )}
      {emailVerified && canHavePasskeys && (
        <section aria-labelledby="passkeys">
          <h2 id="passkeys">{t("overview.passkey")}</h2>
          <p>{t("overview.passkeyText")}</p>
          <p>
            <Link className="button button-quiet" to={`${PATH}/passkeys`}>
              {t("overview.toPasskeys")}
            </Link>
          </p>
        </section>
      )}
      <p>
        <Link to="/profile/general">{t("back")}</Link>
      </p>
    </article>
  );
}
