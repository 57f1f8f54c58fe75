import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { FactorForm } from "~/accounts/view/factor-form";
import { RecoveryCodeList } from "~/accounts/view/recovery-code-list";
import { changeWithFactor, requireSecondFactor } from "~/accounts/second-factor/factor-form.server";
import { keepNewCodes, takeNewCodes } from "~/accounts/second-factor/new-codes.server";
import { askedFactors, factorPage } from "~/accounts/second-factor/page.server";
import { answerHeaders } from "~/platform/http/answer-headers";
import { pageMeta } from "~/platform/http/page-meta";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["factors", "account"] };
export const clientLoader = preloadNamespaces(["factors", "account"]);

const PATH = "/account/second-factor/recovery-codes";

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireSecondFactor(args);
  const { recoveryCodesLeft } = await args.context.services.secondFactors.stateOf(user.id);
  const factors = await askedFactors(args, user.id);
  return data({ ...(await factorPage(args, "codes")), factors, recoveryCodesLeft, codes: await takeNewCodes(args.context) });
}

/** Replaces all recovery codes with new ones. */
export async function action(args: ActionFunctionArgs) {
  return changeWithFactor(args, async (user) => {
    await keepNewCodes(args.context, await args.context.services.secondFactors.renewRecoveryCodes(user));
    return PATH;
  });
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function RecoveryCodes() {
  const { codes, recoveryCodesLeft, asksPassword, factors, kept } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("factors");
  if (codes !== null) return <RecoveryCodeList codes={codes} />;
  return <FactorForm page="codes" lead={t("codes.lead", { count: recoveryCodesLeft })} path={PATH} factors={factors} asksPassword={asksPassword} kept={kept} answer={answer} />;
}
