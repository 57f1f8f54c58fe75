import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { CodeField, OtherCode, OwnPassword } from "~/accounts/view/code-field";
import { codeRefusal, codeSchema } from "~/accounts/second-factor/code-attempt.server";
import { describeProblem, factorPage, requireLocalUser } from "~/accounts/second-factor/page.server";
import { withRecentSignIn } from "~/accounts/recent-sign-in.server";
import { FormPage } from "~/ui/form/form-page";
import { answerHeaders } from "~/platform/http/answer-headers";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { readForm } from "~/platform/forms/read-form";
import { pageMeta } from "~/platform/http/page-meta";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["factors", "account"] };
export const clientLoader = preloadNamespaces(["factors", "account"]);

const PATH = "/account/second-factor/off";
const OVERVIEW = "/account/second-factor";

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLocalUser(args);
  if (!(await args.context.services.secondFactors.hasSecondFactor(user.id))) throw redirect(OVERVIEW, 303);
  return data(await factorPage(args, "off"));
}

export async function action(args: ActionFunctionArgs) {
  const user = await requireLocalUser(args);
  const { request, context } = args;
  const { secondFactors } = context.services;
  if (!(await secondFactors.hasSecondFactor(user.id))) return redirect(OVERVIEW, 303);
  const sent = await parseSentForm(request, context, await readForm(request), codeSchema, await describeProblem(request));
  if (!sent.value) return sent.refuse();
  const { code, currentPassword = "" } = sent.value;
  return withRecentSignIn(context, user, sent, currentPassword, async () => {
    const refusal = await codeRefusal(context, user, sent, code);
    if (refusal) return refusal;
    await secondFactors.turnOff(user);
    await context.visitor.flash({ text: "secondFactorOff", kind: "done" });
    return redirect(OVERVIEW, 303);
  });
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function SecondFactorOff() {
  const { asksPassword, withRecovery } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("factors");
  return (
    <FormPage
      heading={t("off.heading")}
      lead={<p>{t("off.lead")}</p>}
      answer={answer}
      action={withRecovery ? `${PATH}?with=recovery` : PATH}
      submit={t("off.submit")}
      danger
      after={
        <>
          <p>
            <OtherCode withRecovery={withRecovery} path={PATH} />
          </p>
          <p>
            <Link to={OVERVIEW}>{t("cancel")}</Link>
          </p>
        </>
      }
    >
      <CodeField withRecovery={withRecovery} answer={answer} />
      <OwnPassword asked={asksPassword} answer={answer} />
    </FormPage>
  );
}
