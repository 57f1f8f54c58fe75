import { data, redirectDocument, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { AccountLinks } from "~/components/account/account-links";
import { SignOutForm, Who } from "~/components/account/who";
import { PlanChoices } from "~/components/billing/plan-choices";
import { PurchaseList } from "~/components/billing/purchase-list";
import { ErrorSummary } from "~/components/form/error-summary";
import { requireUser } from "~/guard.server";
import { answerHeaders } from "~/lib/answer-headers";
import { ProviderUnavailable, SeveralCustomers } from "~/lib/billing-errors";
import { isAddressProblem } from "~/lib/check-form";
import { errorOf, type FormAnswer } from "~/lib/form-answer";
import { localeOf, textsOf } from "~/lib/i18n.server";
import { ownPath } from "~/lib/own-path";
import { accountPageMeta } from "~/lib/page-texts.server";
import { pageMeta } from "~/lib/page-meta";
import { offersOf } from "~/lib/plan-offers";
import { parsePlanOrder } from "~/lib/plan-order.server";
import { purchaseSummary } from "~/lib/purchase-summary";
import { readForm, textField } from "~/lib/read-form";
import { notAllowed } from "~/lib/refusals";
import { textsFirst } from "~/lib/texts-first";
import { randomId } from "~/lib/tokens.server";
import { viewOfUser } from "~/lib/user-view";

export const handle = { i18n: ["account", "billing", "home"] };
export const clientLoader = textsFirst(["account", "billing", "home"]);

/** In seconds, for whom the provider is not to be reached. */
const RETRY_AFTER = "120";

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  const { billing, purchases, entitlements, env } = args.context.services;
  const locale = await localeOf(args.request);
  const prices = billing && (await billing.prices().catch(() => null));
  return data({
    meta: await accountPageMeta(args, "setup"),
    user: viewOfUser(user),
    entitled: await entitlements.isEntitled(user.id),
    selling: billing !== null,
    offers: prices && offersOf(prices, locale),
    bought: purchaseSummary(await purchases.of(user.id), locale),
    order: randomId(),
    url: new URL(args.request.url).searchParams.get("url") ?? "",
    demo: env.BILLING === "demo",
  });
}

/** Leads to the provider's checkout. What goes wrong there is said here, with what was typed. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireUser(args);
  const { request, context } = args;
  const { billing, refusesAddress, env } = context.services;
  if (!billing) return notAllowed();
  const form = await readForm(request);
  const locale = await localeOf(request);
  const t = textsOf(locale).getFixedT(null, ["billing", "home"]);
  const refuse = (status: number, answer: Partial<FormAnswer>) => {
    context.formProblem = true;
    const values = { url: textField(form, "url").slice(0, 2_048) };
    const headers = status === 503 ? { "Retry-After": RETRY_AFTER } : undefined;
    return data<FormAnswer>({ values, errors: [], notice: null, ...answer }, { status, headers });
  };

  const order = parsePlanOrder(form, refusesAddress);
  if ("problem" in order) {
    if (!isAddressProblem(order.problem)) throw data(null, { status: 422 });
    return refuse(422, { errors: [{ field: "url", message: t(`home:address.${order.problem}`) }] });
  }
  try {
    const checkout = await billing.startCheckout(user, order, locale);
    // A page that is none of Remix' own, wherever it is.
    return checkout ? redirectDocument(ownPath(checkout, env.BASE_URL), 303) : refuse(422, { notice: t("billing:problem.gone", { returnObjects: true }) });
  } catch (error) {
    if (error instanceof SeveralCustomers) return refuse(409, { notice: t("billing:problem.several", { returnObjects: true }) });
    if (!(error instanceof ProviderUnavailable)) throw error;
    context.log.error({ err: error }, "no checkout could be started");
    return refuse(503, { notice: t("billing:problem.unavailable", { returnObjects: true }) });
  }
}

export const headers = answerHeaders;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Setup() {
  const { user, entitled, selling, offers, bought, order, url, demo } = useLoaderData<typeof loader>();
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
      {!selling && !entitled && <p className="lead">{t("account:setup.soon")}</p>}
      {selling && (
        <section aria-labelledby="plans">
          <h2 id="plans">{t("billing:setup.heading")}</h2>
          <p className="lead">{t("billing:setup.lead")}</p>
          <p>{t("billing:setup.unfinished")}</p>
          {offers && offers.length > 0 ? (
            <PlanChoices
              offers={offers}
              order={order}
              url={answer?.values.url ?? url}
              urlError={errorOf(answer, "url")}
              demo={demo}
            />
          ) : (
            <p className="notice">{t("billing:setup.unavailable")}</p>
          )}
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
