import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { WebsitePlaces } from "~/billing/view/website-places";
import { ErrorSummary } from "~/ui/form/error-summary";
import { KeptNotice } from "~/ui/form/kept-notice";
import { SubmitButton } from "~/ui/form/submit-button";
import { TextField } from "~/ui/form/text-field";
import { requireEntitled } from "~/billing/guard.server";
import { errorOf, type FormAnswer } from "~/platform/forms/form-answer";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { readForm, textField } from "~/platform/forms/read-form";
import { parseStartAddress } from "~/platform/web/start-address";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { websitePlaces } from "~/billing/websites/website-places";

export const handle = { i18n: ["account", "billing"] };
export const clientLoader = preloadNamespaces(["account", "billing"]);

const PATH = "/profile/urls";

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireEntitled(args);
  const { request, context } = args;
  const t = textsOf(await localeOf(request)).getFixedT(null, ["billing", "common"]);
  const title = t("billing:urls.title");
  const purchases = await context.services.purchases.of(user.id);
  return data({
    meta: {
      title: t("common:title", { page: context.formProblem ? t("common:form.titlePrefix", { title }) : title }),
      description: t("billing:urls.description"),
    },
    purchases: websitePlaces(purchases),
    kept: await context.visitor.takeKept(PATH),
  });
}

/** Registers `url`. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireEntitled(args);
  const { request, context } = args;
  const { purchases, billing, refusesAddress } = context.services;
  const form = await readForm(request);
  const t = textsOf(await localeOf(request)).getFixedT(null, ["billing", "home"]);
  const typed = textField(form, "url").slice(0, 2_048);
  const refuse = (answer: Partial<FormAnswer>) => {
    context.formProblem = true;
    return data<FormAnswer>({ values: { url: typed }, errors: [], notice: null, ...answer }, { status: 422 });
  };
  const address = parseStartAddress(typed, refusesAddress);
  if (!address.ok) return refuse({ errors: [{ field: "url", message: t(`home:address.${address.problem}`) }] });
  if ((await purchases.register(user.id, address.url, { more: true })) === "full") {
    return refuse({ notice: { heading: t("billing:urls.problemHeading"), text: t("billing:urls.full") } });
  }
  await context.visitor.flash({ text: "urlAdded", kind: "done" });
  // The provider is updated in the background, with retries until it succeeds.
  billing?.writeUrls().catch((error: unknown) => context.log.error({ err: error }, "URLs were not written"));
  return redirect(PATH, 303);
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Urls() {
  const { purchases, kept } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("billing");
  return (
    <article className="account-page wrap">
      {answer && answer.errors.length > 0 && (
        <ErrorSummary errors={answer.errors.map(({ field, message }) => ({ fieldId: field, message }))} />
      )}
      {answer?.notice && <ErrorSummary heading={answer.notice.heading} errors={[{ message: answer.notice.text }]} />}
      <h1>{t("urls.heading")}</h1>
      <p className="lead">{t("urls.lead")}</p>
      {purchases.length === 0 && <p>{t("urls.none")}</p>}
      {purchases.map((purchase) => (
        <WebsitePlaces key={purchase.id} {...purchase} />
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
