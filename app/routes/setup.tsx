import {
  data,
  redirect,
  redirectDocument,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData, type ShouldRevalidateFunction } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { AccountLinks } from "~/components/account/account-links";
import { SignOutForm, Who } from "~/components/account/who";
import { AmbiguousCustomer } from "~/components/billing/ambiguous-customer";
import { OpenInvoices } from "~/components/billing/open-invoices";
import { PlanChoices } from "~/components/billing/plan-choices";
import { PurchaseList } from "~/components/billing/purchase-list";
import { ErrorSummary } from "~/components/form/error-summary";
import { KeptNotice } from "~/components/form/kept-notice";
import { requireUser } from "~/guard.server";
import { answerHeaders } from "~/lib/answer-headers";
import { isAddressProblem } from "~/lib/check-form";
import { errorOf, type FormAnswer } from "~/lib/form-answer";
import { localeOf, textsOf } from "~/lib/i18n.server";
import { invoiceViews } from "~/lib/invoice-views";
import { orderProblem } from "~/lib/order-problem.server";
import { ownPath } from "~/lib/own-path";
import { accountPageMeta } from "~/lib/page-texts.server";
import { pageMeta } from "~/lib/page-meta";
import { offersOf } from "~/lib/plan-offers";
import { parsePlanOrder } from "~/lib/plan-order.server";
import { MARKETED_PRICES } from "~/lib/plans";
import { purchaseSummary } from "~/lib/purchase-summary";
import { readForm, textField } from "~/lib/read-form";
import { notAllowed } from "~/lib/refusals";
import { textsFirst } from "~/lib/texts-first";
import { randomId } from "~/lib/tokens.server";
import { viewOfUser } from "~/lib/user-view";

export const handle = { i18n: ["account", "billing", "home"] };
export const clientLoader = textsFirst(["account", "billing", "home"]);

const LONGEST_ADDRESS = 2_048;

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  const { billing, purchases, entitlements, env } = args.context.services;
  const locale = await localeOf(args.request);
  const prices = billing && (await billing.shownPrices());
  const currency = await billing?.currencyFor(user.id, locale);
  const kept = await args.context.visitor.takeKept("/setup");
  return data({
    meta: await accountPageMeta(args, "setup"),
    user: viewOfUser(user),
    entitled: await entitlements.isEntitled(user.id),
    selling: billing !== null,
    subscribed: billing !== null && (await billing.isSubscribed(user.id)),
    ambiguous: billing !== null && (await billing.isAmbiguous(user.id)),
    supportEmail: env.OPERATOR_EMAIL ?? null,
    offers: offersOf(prices ?? MARKETED_PRICES, locale, currency),
    reachable: prices !== null,
    invoices: billing ? invoiceViews(await billing.openInvoices(user.id), locale, env.BASE_URL) : [],
    bought: purchaseSummary(await purchases.of(user.id), locale),
    order: randomId(),
    url: kept?.url ?? new URL(args.request.url).searchParams.get("url") ?? "",
    way: kept?.way || "checkout",
    kept: kept !== null,
    demo: env.BILLING === "demo",
  });
}

/** Leads to the provider's checkout, or to another way to pay. What goes wrong there is said here, with what was typed. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireUser(args);
  const { request, context } = args;
  const { billing, refusesAddress, throttle, env } = context.services;
  if (!billing) return notAllowed();
  const form = await readForm(request);
  const locale = await localeOf(request);
  const t = textsOf(locale).getFixedT(null, ["billing", "home"]);
  const fields = {
    order: textField(form, "order"),
    choice: textField(form, "choice"),
    url: textField(form, "url"),
    way: textField(form, "way"),
  };
  const refuse = (status: number, answer: Partial<FormAnswer>, headers?: HeadersInit) => {
    context.formProblem = true;
    const { order, way, url } = fields;
    const values = { order, way, url: url.slice(0, LONGEST_ADDRESS) };
    return data<FormAnswer>({ values, errors: [], notice: null, ...answer }, { status, headers });
  };

  try {
    if (textField(form, "again") !== "") {
      await billing.lookAgain(user);
      return redirect("/setup", 303);
    }
    const order = parsePlanOrder(fields, refusesAddress, locale);
    if ("problem" in order) {
      if (!isAddressProblem(order.problem)) throw data(null, { status: 422 });
      return refuse(422, { errors: [{ field: "url", message: t(`home:address.${order.problem}`) }] });
    }
    if (order.way === "invoice") {
      const query = new URLSearchParams({ ...fields, url: order.url ?? "" });
      return redirect(`/setup/invoice?${query}`, 303);
    }
    const gone = () => refuse(422, { notice: t("billing:problem.gone", { returnObjects: true }) });
    if (order.way === "link") {
      const attempt = await throttle.mail(context.clientAddress);
      const mayWrite = attempt.granted && (await throttle.recipient("order", user.email));
      if (!mayWrite) return refuse(429, { notice: t("billing:problem.mails", { returnObjects: true }) });
      return (await billing.mailLink(user, order, locale)) ? redirect(`/setup/done?order=${order.id}`, 303) : gone();
    }
    const checkout = await billing.startCheckout(user, order, locale);
    // A page that is none of Remix' own, wherever it is.
    return checkout ? redirectDocument(ownPath(checkout, env.BASE_URL), 303) : gone();
  } catch (error) {
    const problem = orderProblem(error, locale);
    if (!problem) throw error;
    context.log.error({ err: error }, "no order could be begun");
    if (fields.way === "link" && problem.status === 503) await throttle.unsent("order", user.email, context.clientAddress);
    return refuse(problem.status, { notice: problem.notice }, problem.headers);
  }
}

export const headers = answerHeaders;

/** With several customers, there are no plans to choose from any more. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  actionStatus === 409 || defaultShouldRevalidate;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Setup() {
  const { user, entitled, selling, ambiguous, supportEmail, bought, invoices, ...plans } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation(["account", "billing"]);
  return (
    <article className="account-page wrap">
      {answer && answer.errors.length > 0 && (
        <ErrorSummary errors={answer.errors.map(({ field, message }) => ({ fieldId: field, message }))} />
      )}
      {answer?.notice && <ErrorSummary heading={answer.notice.heading} errors={[{ message: answer.notice.text }]} />}
      <h1>{t("account:setup.heading")}</h1>
      {entitled && (
        <p>
          {t("account:setup.entitled")} <Link to="/runs">{t("account:setup.toRuns")}</Link>
        </p>
      )}
      <OpenInvoices invoices={invoices} />
      {ambiguous && <AmbiguousCustomer supportEmail={supportEmail} />}
      {selling && !ambiguous && (
        <section aria-labelledby="plans">
          <h2 id="plans">{t("billing:setup.heading")}</h2>
          <p className="lead">{t("billing:setup.lead")}</p>
          {plans.kept && !answer && <KeptNotice />}
          {!plans.reachable && <p className="notice">{t("billing:setup.unavailable")}</p>}
          <PlanChoices
            offers={plans.offers}
            order={answer?.values.order || plans.order}
            url={answer?.values.url ?? plans.url}
            urlError={errorOf(answer, "url")}
            way={answer?.values.way || plans.way}
            email={user.email}
            subscribed={plans.subscribed}
            demo={plans.demo}
          />
        </section>
      )}
      {bought.purchases.length > 0 && (
        <section aria-labelledby="bought">
          <h2 id="bought">{t("billing:purchases.heading")}</h2>
          <PurchaseList {...bought} />
        </section>
      )}
      <section aria-labelledby="who">
        <h2 id="who">{t("account:setup.who")}</h2>
        <Who user={user} />
        <SignOutForm />
      </section>
      <section aria-labelledby="account">
        <h2 id="account">{t("account:profile.account")}</h2>
        <AccountLinks isHosted={user.isHosted} />
      </section>
    </article>
  );
}
