import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { FactorField, OtherCode, OwnPassword } from "~/accounts/view/code-field";
import { RecoveryCodeList } from "~/accounts/view/recovery-code-list";
import { factorRefusal, factorSchema } from "~/accounts/second-factor/code-attempt.server";
import { keepNewCodes, takeNewCodes } from "~/accounts/second-factor/new-codes.server";
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

const PATH = "/account/second-factor/recovery-codes";
const OVERVIEW = "/account/second-factor";

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLocalUser(args);
  const { secondFactors } = args.context.services;
  if (!(await secondFactors.hasSecondFactor(user.id))) throw redirect(OVERVIEW, 303);
  const { recoveryCodesLeft } = await secondFactors.stateOf(user.id);
  const factors = await askedFactors(args, user.id);
  return data({ ...(await factorPage(args, "codes")), factors, recoveryCodesLeft, codes: await takeNewCodes(args.context) });
}

/** Replaces all recovery codes by new ones. */
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
    await keepNewCodes(context, await secondFactors.renewRecoveryCodes(user));
    return redirect(PATH, 303);
  });
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function RecoveryCodes() {
  const { codes, recoveryCodesLeft, asksPassword, factors } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("factors");
  if (codes !== null) return <RecoveryCodeList codes={codes} />;
  return (
    <FormPage
      heading={t("codes.heading")}
      lead={<p>{t("codes.lead", { count: recoveryCodesLeft })}</p>}
      answer={answer}
      action={factors.recovery ? `${PATH}?with=recovery` : PATH}
      submit={t("codes.submit")}
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
