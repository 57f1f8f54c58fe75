import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { FactorField, OtherCode, OwnPassword } from "~/accounts/view/code-field";
import { factorRefusal, factorSchema } from "~/accounts/second-factor/code-attempt.server";
import { askedFactors, describeProblem, factorPage, requireLocalUser } from "~/accounts/second-factor/page.server";
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
  return data({ ...(await factorPage(args, "off")), factors: await askedFactors(args, user.id) });
}

export async function action(args: ActionFunctionArgs) {
  const user = await requireLocalUser(args);
  const { request, context } = args;
  const { secondFactors } = context.services;
  if (!(await secondFactors.hasSecondFactor(user.id))) return redirect(OVERVIEW, 303);
  const sent = await parseSentForm(request, context, await readForm(request), factorSchema, await describeProblem(request));
  if (!sent.value) return sent.refuse();
  const { currentPassword = "", ...shown } = sent.value;
  return withRecentSignIn(context, user, sent, currentPassword, async () => {
    const refusal = await factorRefusal(context, user, sent, shown);
    if (refusal) return refusal;
    await secondFactors.turnOff(user);
    await context.visitor.flash({ text: "secondFactorOff", kind: "done" });
    return redirect(OVERVIEW, 303);
  });
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function SecondFactorOff() {
  const { asksPassword, factors } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("factors");
  return (
    <FormPage
      heading={t("off.heading")}
      lead={<p>{t("off.lead")}</p>}
      answer={answer}
      action={factors.recovery ? `${PATH}?with=recovery` : PATH}
      submit={t("off.submit")}
      danger
      after={
        <>
          <OtherCode factors={factors} path={PATH} />
          <p>
            <Link to={OVERVIEW}>{t("cancel")}</Link>
          </p>
        </>
      }
    >
      <FactorField factors={factors} answer={answer} />
      <OwnPassword asked={asksPassword} answer={answer} />
    </FormPage>
  );
}
