import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { OpenInvoices } from "~/billing/view/open-invoices";
import { OrderFacts } from "~/billing/view/order-facts";
import { OrderTerms } from "~/billing/view/order-terms";
import { FormPage } from "~/ui/form/form-page";
import { KeptNotice } from "~/ui/form/kept-notice";
import { Icon } from "~/ui/icon";
import { requireUser } from "~/accounts/guard.server";
import { answerHeaders } from "~/platform/http/answer-headers";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { ProviderUnavailable } from "~/billing/billing-errors";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { invoiceViews } from "~/billing/invoice-views";
import { orderProblem } from "~/billing/order-problem.server";
import { titledMeta } from "~/platform/forms/page-texts.server";
import { pageMeta } from "~/platform/http/page-meta";
import { choiceOfForm, choicePath } from "~/billing/plans/choice";
import { orderFields, parsePlanOrder } from "~/billing/plans/order.server";
import { formatPrice } from "~/billing/plans/plans";
import { readForm } from "~/platform/forms/read-form";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";

export const handle = { i18n: ["billing", "home"] };
export const clientLoader = preloadNamespaces(["billing", "home"]);

const PATH = "/setup/invoice";

/** Summary of the order, with the button that buys; the buttons of `/setup` do not buy. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  const { request, context } = args;
  const { billing, refusesAddress, env } = context.services;
  const { searchParams } = new URL(request.url);
  const locale = await localeOf(request);
  const fields = {
    order: searchParams.get("order") ?? "",
    choice: searchParams.get("choice") ?? "",
    url: searchParams.get("url") ?? "",
    check: searchParams.get("check") ?? "",
    way: "invoice",
  };
  const order = parsePlanOrder(fields, refusesAddress, locale);
  if (!billing || "problem" in order) throw redirect("/setup");
  const quote = await billing.quote(user.id, order, locale).catch((error: unknown) => {
    if (!(error instanceof ProviderUnavailable)) throw error;
    context.log.warn({ err: error }, "the provider was not to be asked about prices");
    return null;
  });
  const t = textsOf(locale).getFixedT(null, "billing");
  return data({
    meta: await titledMeta(args, { title: t("invoice.title"), description: t("invoice.description") }),
    fields,
    plan: order.plan,
    rhythm: order.rhythm,
    url: order.url,
    email: user.email,
    price: quote && formatPrice(quote.amount / 100, quote.currency.toUpperCase(), locale),
    days: quote?.daysUntilDue ?? null,
    invoices: invoiceViews(await billing.openInvoices(user.id), locale, env.BASE_URL),
    demo: env.BILLING === "demo",
    kept: (await context.visitor.takeKept(PATH)) !== null,
  });
}

export async function action(args: ActionFunctionArgs) {
  const user = await requireUser(args);
  const { request, context } = args;
  const { billing, refusesAddress, throttle } = context.services;
  if (!billing) return methodNotAllowed();
  const locale = await localeOf(request);
  const t = textsOf(locale).getFixedT(null, "billing");
  const sent = await parseSentForm(request, context, await readForm(request), orderFields);
  const order = sent.value && parsePlanOrder({ ...sent.value, way: "invoice" }, refusesAddress, locale);
  if (!order || "problem" in order) return sent.refuseForNow(t("problem.incomplete", { returnObjects: true }), { status: 422 });

  const attempt = await throttle.mailTo("order", user.email, context.clientAddress);
  if (!attempt.granted) return sent.limit(() => t("problem.mails", { returnObjects: true }), attempt.retryAt);
  try {
    const ordered = await billing.sendInvoice(user, order, locale);
    if (ordered) return redirect(`/setup/done?order=${ordered}`, 303);
    return sent.refuseForNow(t("problem.gone", { returnObjects: true }), { status: 422 });
  } catch (error) {
    const problem = orderProblem(error, locale);
    if (!problem) throw error;
    context.log.error({ err: error }, "no invoice could be sent");
    if (problem.status === 503) await throttle.unsent("order", user.email, context.clientAddress);
    return sent.refuseForNow(problem.notice, { status: problem.status, headers: problem.headers });
  }
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function InvoiceOrder() {
  const { fields, price, days, invoices, demo, kept, ...order } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation("billing");
  const back = choicePath("/setup", choiceOfForm((name) => fields[name]));
  if (price === null || days === null) {
    return (
      <article className="form-page wrap">
        <h1>{t("invoice.heading")}</h1>
        <p className="lead">{t("setup.unavailable")}</p>
        <p>
          <Link to={back}>{t("invoice.back")}</Link>
        </p>
      </article>
    );
  }
  return (
    <FormPage
      heading={t("invoice.heading")}
      lead={
        <>
          {kept && !answer && <KeptNotice isButton />}
          <p>{t("invoice.lead", { count: days, email: order.email })}</p>
        </>
      }
      answer={answer}
      action={`${PATH}?${new URLSearchParams(fields)}`}
      submit={t("invoice.submit")}
      after={
        <>
          {answer?.notice && <OpenInvoices invoices={invoices} />}
          <p>
            <Link to={back}>{t("invoice.back")}</Link>
          </p>
        </>
      }
    >
      <OrderFacts {...order} price={price} />
      <OrderTerms />
      {demo && (
        <p className="notice">
          <Icon name="alert" />
          <span>{t("setup.noMoney")}</span>
        </p>
      )}
      <input type="hidden" name="order" value={fields.order} />
      <input type="hidden" name="choice" value={fields.choice} />
      <input type="hidden" name="url" value={fields.url} />
      <input type="hidden" name="check" value={fields.check} />
    </FormPage>
  );
}
