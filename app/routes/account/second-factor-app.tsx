import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { AppSecret } from "~/accounts/view/app-secret";
import { CodeField } from "~/accounts/view/code-field";
import { appAddress, qrCodeOf } from "~/accounts/second-factor/code-app.server";
import { codeSchema, kindOfCode } from "~/accounts/second-factor/code-attempt.server";
import { hasNewCodes, keepNewCodes } from "~/accounts/second-factor/new-codes.server";
import { describeProblem, factorPage, requireLocalUser } from "~/accounts/second-factor/page.server";
import { FormPage } from "~/ui/form/form-page";
import { KeptNotice } from "~/ui/form/kept-notice";
import { answerHeaders } from "~/platform/http/answer-headers";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { readForm } from "~/platform/forms/read-form";
import { pageMeta } from "~/platform/http/page-meta";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["factors"] };
export const clientLoader = preloadNamespaces(["factors"]);

const PATH = "/account/second-factor/app";
const OVERVIEW = "/account/second-factor";
const CODES = `${OVERVIEW}/recovery-codes`;

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireLocalUser(args);
  const secret = await args.context.services.secondFactors.secretBeingSetUp(user.id);
  if (secret === null) throw redirect(OVERVIEW, 303);
  const { meta, kept } = await factorPage(args, "app");
  const address = appAddress(secret, user.email);
  return data({ meta, kept, secret, address, qrCode: qrCodeOf(address) });
}

/** Turns the second factor on with a code of the app. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireLocalUser(args);
  const { request, context } = args;
  const { secondFactors, throttle } = context.services;
  const sent = await parseSentForm(request, context, await readForm(request), codeSchema, await describeProblem(request));
  if (!sent.value) return sent.refuse();
  if ((await secondFactors.secretBeingSetUp(user.id)) === null) return redirect((await hasNewCodes(context)) ? CODES : OVERVIEW, 303);
  const attempt = await throttle.code("app", user.id);
  if (!attempt.granted) return sent.postpone("throttled", attempt.retryAt);
  const codes = await secondFactors.confirm(user, kindOfCode(sent.value.code).code);
  if (codes === null) return sent.refuse({ code: "code_wrong" });
  await throttle.codeAccepted("app", user.id);
  if (codes.length === 0) {
    await context.visitor.flash({ text: "appConnected", kind: "done" });
    return redirect(OVERVIEW, 303);
  }
  await keepNewCodes(context, codes);
  await context.visitor.flash({ text: "secondFactorOn", kind: "done" });
  return redirect(CODES, 303);
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function SecondFactorApp() {
  const { kept, secret, address, qrCode } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("factors");
  return (
    <FormPage
      heading={t("app.heading")}
      lead={
        <>
          {kept && !answer && <KeptNotice isEmpty />}
          <p>{t("app.lead")}</p>
        </>
      }
      answer={answer}
      action={PATH}
      submit={t("app.submit")}
      after={<Link to={OVERVIEW}>{t("cancel")}</Link>}
    >
      <AppSecret secret={secret} address={address} qrCode={qrCode} />
      <CodeField recovery={false} answer={answer} />
    </FormPage>
  );
}
