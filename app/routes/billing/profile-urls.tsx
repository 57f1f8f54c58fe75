import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { WebsiteSlots } from "~/billing/view/website-slots";
import { AnswerSummary } from "~/ui/form/answer-summary";
import { KeptNotice } from "~/ui/form/kept-notice";
import { SubmitButton } from "~/ui/form/submit-button";
import { TextField } from "~/ui/form/text-field";
import { requireEntitled } from "~/billing/guard.server";
import { errorOf } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { readForm } from "~/platform/forms/read-form";
import type { AddressProblem } from "~/platform/web/start-address";
import { checkFormSchema } from "~/runs/check-form.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { websiteSlots } from "~/billing/websites/website-slots";

export const handle = { i18n: ["account", "billing"] };
export const clientLoader = preloadNamespaces(["account", "billing"]);

const PATH = "/profile/urls";

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireEntitled(args);
  const { request, context } = args;
  const t = textsOf(await localeOf(request)).getFixedT(null, "billing");
  const purchases = await context.services.purchases.of(user.id);
  return data({
    meta: await titledMeta(args, { title: t("urls.title"), description: t("urls.description") }),
    purchases: websiteSlots(purchases),
    kept: await context.visitor.takeKept(PATH),
  });
}

/** Registers `url`. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireEntitled(args);
  const { request, context } = args;
  const { purchases, billing, refusesAddress } = context.services;
  const t = textsOf(await localeOf(request)).getFixedT(null, ["billing", "home"]);
  const sent = await parseSentForm(request, context, await readForm(request), checkFormSchema(refusesAddress), (problem) =>
    t(`home:address.${problem as AddressProblem}`),
  );
  if (!sent.value) return sent.refuse();
  if ((await purchases.register(user.id, sent.value.url, { more: true })) === "full") {
    return sent.refuseForNow({ heading: t("billing:urls.problemHeading"), text: t("billing:urls.full") }, { status: 422 });
  }
  await context.visitor.flash({ text: "urlAdded", kind: "done" });
  billing?.writeUrlsSoon();
  return redirect(PATH, 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Urls() {
  const { purchases, kept } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("billing");
  return (
    <article className="account-page wrap">
      <AnswerSummary answer={answer} />
      <h1>{t("urls.heading")}</h1>
      <p className="lead">{t("urls.lead")}</p>
      {purchases.length === 0 && <p>{t("urls.none")}</p>}
      {purchases.map((purchase) => (
        <WebsiteSlots key={purchase.id} {...purchase} />
      ))}
      <section aria-labelledby="add">
        <h2 id="add">{t("urls.addHeading")}</h2>
        {kept && !answer && <KeptNotice />}
        <Form className="form" method="post" action={PATH} noValidate>
          <TextField
            id="url"
            name="url"
            label={t("urls.label")}
            hint={t("urls.hint")}
            error={errorOf(answer, "url")}
            defaultValue={answer?.values.url ?? kept?.url}
            type="text"
            inputMode="url"
            autoComplete="url"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <SubmitButton label={t("urls.add")} busyLabel={t("urls.add")} action={PATH} />
        </Form>
      </section>
      <p className="form-after">
        <Link to="/profile/general">{t("urls.back")}</Link>
      </p>
    </article>
  );
}
