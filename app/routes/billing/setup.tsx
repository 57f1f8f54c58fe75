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
import { AccountLinks } from "~/accounts/view/account-links";
import { OutboxNotice } from "~/accounts/view/outbox-notice";
import { SignOutForm, AccountSummary } from "~/accounts/view/account-summary";
import { AmbiguousCustomer } from "~/billing/view/ambiguous-customer";
import { OpenInvoices } from "~/billing/view/open-invoices";
import { PlanChoices } from "~/billing/view/plan-choices";
import { PurchaseList } from "~/billing/view/purchase-list";
import { UnlockNow } from "~/billing/view/unlock-now";
import { AnswerSummary } from "~/ui/form/answer-summary";
import { KeptNotice } from "~/ui/form/kept-notice";
import { requireUser } from "~/accounts/guard.server";
import { answerHeaders } from "~/platform/http/answer-headers";
import { isAddressProblem } from "~/runs/check-form.server";
import { errorOf } from "~/platform/forms/form-answer";
import { parseSentForm } from "~/platform/forms/form-answer.server";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { invoiceViews } from "~/billing/invoice-views";
import { orderProblem } from "~/billing/order-problem.server";
import { ownPath } from "~/platform/http/own-path";
import { accountPageMeta } from "~/platform/forms/page-texts.server";
import { pageMeta } from "~/platform/http/page-meta";
import { choiceOfForm, choiceOfQuery, type PlanChoice } from "~/billing/plans/choice";
import { offersOf } from "~/billing/plans/offers";
import { orderFields, parsePlanOrder } from "~/billing/plans/order.server";
import { MARKETED_PRICES } from "~/billing/plans/plans";
import { purchaseSummary, standingOf } from "~/billing/purchase-summary";
import { readForm, textField } from "~/platform/forms/read-form";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { parseStartAddress, type AddressProblem } from "~/platform/web/start-address";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { randomId } from "~/platform/crypto/tokens.server";
import { viewOfUser } from "~/accounts/user-view";
import { displayAddress } from "~/findings/finding-views.server";

export const handle = { i18n: ["account", "billing", "home"] };
export const clientLoader = preloadNamespaces(["account", "billing", "home"]);

export async function loader(args: LoaderFunctionArgs) {
  const asked = choiceOfQuery(new URL(args.request.url).searchParams);
  // Visitors with a chosen plan or a check result rarely have an account.
  const user = await requireUser(args, asked.plan || asked.check ? "/register" : "/login");
  const { billing, purchases, scanRequests, scheduleLists, env, keepsMails } = args.context.services;
  const locale = await localeOf(args.request);
  const prices = billing && (await billing.shownPrices());
  const currency = await billing?.currencyFor(user.id, locale);
  const kept = await args.context.visitor.takeKept("/setup");
  const mine = await purchases.of(user.id);
  const choice = kept ? choiceOfForm((name) => kept[name]) : asked;
  return data({
    meta: await accountPageMeta(args, "setup"),
    user: viewOfUser(user),
    // The page explains where to find the confirmation mail.
    keepsMails: keepsMails && !user.emailVerified && user.subject === null,
    standing: standingOf(mine, await scanRequests.entitlementOf(user.id)),
    selling: billing !== null,
    subscribed: billing !== null && (await billing.isSubscribed(user.id)),
    ambiguous: billing !== null && (await billing.isAmbiguous(user.id)),
    supportEmail: env.OPERATOR_EMAIL ?? null,
    offers: offersOf(prices ?? MARKETED_PRICES, locale, currency),
    mostPages: env.SCAN_MAX_PAGES,
    reachable: prices !== null,
    invoices: billing ? invoiceViews(await billing.openInvoices(user.id), locale, env.BASE_URL) : [],
    bought: purchaseSummary(mine, locale),
    order: randomId(),
    choice,
    unlock: await unlockable(args, user.id, choice),
    way: kept?.way || "checkout",
    kept: kept !== null,
    demo: env.BILLING === "demo",
    hasSchedules: await scheduleLists.hasAny(user.id),
  });
}

/** Reason why the chosen website needs no purchase; null if it needs one. */
async function unlockable({ context }: LoaderFunctionArgs, userId: string, { url, check }: PlanChoice) {
  const { scanRequests, refusesAddress } = context.services;
  const address = parseStartAddress(url, refusesAddress);
  if (!address.ok) return null;
  const { open, covered } = await scanRequests.entitlementOf(userId);
  const isCovered = covered.includes(new URL(address.url).origin);
  const hasRoom = await scanRequests.canUpgrade(userId, address.url);
  // Covered website without a result to claim: nothing to unlock, the owner wants a larger plan.
  const why = open ? "open" : hasRoom ? (isCovered ? "more" : "room") : isCovered && check !== "" ? "covered" : null;
  return why && { url: address.url, check, host: displayAddress(new URL(address.url).origin), why } as const;
}

/** Redirects to the provider's checkout, or to another way to pay. This page shows errors, with the typed values. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireUser(args);
  const { request, context } = args;
  const { billing, refusesAddress, throttle, env } = context.services;
  if (!billing) return methodNotAllowed();
  const form = await readForm(request);
  const locale = await localeOf(request);
  const t = textsOf(locale).getFixedT(null, ["billing", "home"]);
  const sent = await parseSentForm(request, context, form, orderFields, (problem) =>
    t(`home:address.${problem as AddressProblem}`),
  );
  const fields = sent.value;
  const incomplete = () => sent.refuseForNow(t("billing:problem.incomplete", { returnObjects: true }), { status: 422 });
  if (!fields) return incomplete();

  try {
    if (textField(form, "again") !== "") {
      await billing.recheckCustomer(user);
      return redirect("/setup", 303);
    }
    const order = parsePlanOrder(fields, refusesAddress, locale);
    if ("problem" in order) return isAddressProblem(order.problem) ? sent.refuse({ url: order.problem }) : incomplete();
    if (order.way === "invoice") {
      const query = new URLSearchParams({ ...fields, url: order.url ?? "" });
      return redirect(`/setup/invoice?${query}`, 303);
    }
    const gone = () => sent.refuseForNow(t("billing:problem.gone", { returnObjects: true }), { status: 422 });
    if (order.way === "link") {
      const attempt = await throttle.mailTo("order", user.email, context.clientAddress);
      if (!attempt.granted) return sent.limit(() => t("billing:problem.mails", { returnObjects: true }), attempt.retryAt);
      return (await billing.mailLink(user, order, locale)) ? redirect(`/setup/done?order=${order.id}`, 303) : gone();
    }
    const checkout = await billing.startCheckout(user, order, locale);
    // Full page load: the target is not a Remix page, on any host.
    return checkout ? redirectDocument(ownPath(checkout, env.BASE_URL), 303) : gone();
  } catch (error) {
    const problem = orderProblem(error, locale);
    if (!problem) throw error;
    context.log.error({ err: error }, "no order could be begun");
    if (fields.way === "link" && problem.status === 503) await throttle.unsent("order", user.email, context.clientAddress);
    return sent.refuseForNow(problem.notice, { status: problem.status, headers: problem.headers });
  }
}

export const headers = answerHeaders;

/** Reload after status 409 (for example, several customer records): plans may be gone. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  actionStatus === 409 || defaultShouldRevalidate;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Setup() {
  const { user, standing, selling, ambiguous, supportEmail, bought, invoices, unlock, keepsMails, hasSchedules, ...plans } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { t } = useTranslation(["account", "billing"]);
  const choice = answer ? choiceOfForm((name) => answer.values[name]) : plans.choice;
  return (
    <article className="account-page wrap">
      <AnswerSummary answer={answer} />
      <h1>{t("account:setup.heading")}</h1>
      {standing !== "none" && (
        <p>
          {t(`account:setup.standing.${standing}`, { plans: bought.plans })} <Link to="/runs">{t("account:setup.toRuns")}</Link>
        </p>
      )}
      {choice.check && (
        <p>
          <Link to={`/check/${choice.check}`}>{t("billing:setup.toResult")}</Link>
        </p>
      )}
      {unlock && <UnlockNow {...unlock} />}
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
            mostPages={plans.mostPages}
            order={answer?.values.order || plans.order}
            choice={choice}
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
        <AccountSummary user={user} />
        <OutboxNotice shown={keepsMails} />
        <SignOutForm />
      </section>
      <section aria-labelledby="account">
        <h2 id="account">{t("account:profile.account")}</h2>
        <AccountLinks isHosted={user.isHosted} hasSchedules={hasSchedules} />
      </section>
    </article>
  );
}
