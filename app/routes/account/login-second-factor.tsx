import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { FactorField, OtherCode, type AskedFactors } from "~/accounts/view/code-field";
import { factorRefusal, factorSchema } from "~/accounts/second-factor/code-attempt.server";
import { askedFactors, describeProblem, factorPage } from "~/accounts/second-factor/page.server";
import { finishSignIn, refuseSignIn } from "~/accounts/sign-in.server";
import { FormPage } from "~/ui/form/form-page";
import { answerHeaders } from "~/platform/http/answer-headers";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { readForm, textField } from "~/platform/forms/read-form";
import { pageMeta } from "~/platform/http/page-meta";
import { signInTarget, withReturnTo } from "~/platform/http/return-to";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["factors"] };
export const clientLoader = preloadNamespaces(["factors"]);

const PATH = "/login/second-factor";

export async function loader(args: LoaderFunctionArgs) {
  const { request, context } = args;
  const returnTo = signInTarget(new URL(request.url).searchParams.get("returnTo"));
  const pending = await context.services.pendingSignIns.of(request);
  // A signed-in user may sign in again, for a page that requires a recent sign-in.
  if (!pending) throw redirect((await context.visitor.user()) ? returnTo : withReturnTo("/login", returnTo), 303);
  const { meta } = await factorPage(args, "signIn");
  return data({ meta, factors: await askedFactors(args, pending.user.id), returnTo });
}

/** Second step of the sign-in. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { visitor, services } = context;
  const form = await readForm(request);
  const returnTo = signInTarget(textField(form, "returnTo"));
  const pending = await services.pendingSignIns.of(request);
  if (!pending) {
    if (await visitor.user()) return redirect(returnTo, 303);
    // No flash message: it would begin a guest session, which replaces the new session after a second click.
    throw refuseSignIn("expired", returnTo);
  }
  const sent = await parseSentForm(request, context, form, factorSchema, await describeProblem(request));
  if (!sent.value) return sent.refuse();
  const refusal = await factorRefusal(context, pending.user, sent, sent.value);
  if (refusal) return refusal;
  await finishSignIn({ request, context }, pending);
  return redirect(returnTo, 303);
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function LoginSecondFactor() {
  const { factors, returnTo } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("factors");
  const path = withReturnTo(PATH, returnTo);
  return (
    <FormPage
      heading={t("signIn.heading")}
      lead={<p>{t(`signIn.lead.${leadOf(factors)}`)}</p>}
      answer={answer}
      action={factors.recovery ? withReturnTo(`${PATH}?with=recovery`, returnTo) : path}
      submit={t("signIn.submit")}
      after={
        <>
          <OtherCode factors={factors} path={path} />
          <p>{t("signIn.lost")}</p>
          <p>
            <Link to={withReturnTo("/login", returnTo)}>{t("signIn.back")}</Link>
          </p>
        </>
      }
    >
      <input type="hidden" name="returnTo" value={returnTo} />
      <FactorField factors={factors} purpose="sign_in" answer={answer} />
    </FormPage>
  );
}

function leadOf({ app, passkey, recovery }: AskedFactors): "app" | "passkey" | "both" | "recovery" {
  if (recovery || !(app || passkey)) return "recovery";
  if (app && passkey) return "both";
  return app ? "app" : "passkey";
}
