import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { FactorForm } from "~/accounts/view/factor-form";
import { changeWithFactor, requireSecondFactor } from "~/accounts/second-factor/factor-form.server";
import { askedFactors, factorPage } from "~/accounts/second-factor/page.server";
import { answerHeaders } from "~/platform/http/answer-headers";
import { pageMeta } from "~/platform/http/page-meta";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["factors", "account"] };
export const clientLoader = preloadNamespaces(["factors", "account"]);

const PATH = "/account/second-factor/off";

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireSecondFactor(args);
  return data({ ...(await factorPage(args, "off")), factors: await askedFactors(args, user.id) });
}

export async function action(args: ActionFunctionArgs) {
  const { services, visitor } = args.context;
  return changeWithFactor(args, async (user) => {
    await services.secondFactors.turnOff(user);
    await visitor.flash({ text: "secondFactorOff", kind: "done" });
    return "/account/second-factor";
  });
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function SecondFactorOff() {
  const { asksPassword, factors, kept } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("factors");
  return <FactorForm page="off" lead={t("off.lead")} path={PATH} factors={factors} asksPassword={asksPassword} kept={kept} answer={answer} danger />;
}
