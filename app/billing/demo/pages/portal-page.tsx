import type Stripe from "stripe";
import type { Objects } from "~/billing/demo/store/objects";
import { Action, Fact, type FieldProblem } from "./page";
import { isOver } from "~/billing/demo/objects/subscription-states";
import { itemOf } from "~/billing/demo/objects/subscriptions";
import { fill, type Voice } from "./texts";

export interface PortalView {
  returnUrl: string | null;
  subscriptions: Stripe.Subscription[];
  /** Plans that a subscription can change to, with the product's name and an amount for each currency. */
  plans: { id: string; name: string; amounts: Record<string, number>; interval: string }[];
  names: Map<string, string>;
  last4: string | null;
  invoices: Objects["invoice"][];
  /** One-time payments. */
  payments: Stripe.PaymentIntent[];
}

interface PortalPageProps {
  voice: Voice;
  base: string;
  view: PortalView;
  problems: FieldProblem[];
}

export function PortalPage({ voice, base, view, problems }: PortalPageProps) {
  const { t } = voice;
  return (
    <>
      {view.returnUrl && (
        <nav aria-label={t.portal.back}>
          <a href={view.returnUrl}>{t.portal.back}</a>
        </nav>
      )}
      <section aria-labelledby="subscriptions">
        <h2 id="subscriptions">{t.portal.subscriptions}</h2>
        {view.subscriptions.length === 0 && <p>{t.portal.none}</p>}
        {view.subscriptions.map((each) => (
          <Subscription key={each.id} subscription={each} {...{ voice, base, view, problems }} />
        ))}
      </section>
      <section aria-labelledby="method">
        <h2 id="method">{t.portal.method}</h2>
        <p>{view.last4 ? fill(t.portal.methodNow, { last4: view.last4 }) : t.portal.methodNone}</p>
        <div className="actions">
          <Action name="method-good" label={t.portal.methodGood} />
          <Action name="method-bad" label={t.portal.methodBad} />
        </div>
      </section>
      <section aria-labelledby="invoices">
        <h2 id="invoices">{t.portal.invoices}</h2>
        {view.invoices.length === 0 && <p>{t.portal.noInvoices}</p>}
        <ul className="links">
          {view.invoices.map(({ id, number, created, amount_due: due, currency, status }) => (
            <li key={id}>
              <a href={`${base}/invoice/${id}`}>{fill(t.invoice.title, { number: number ?? id })}</a>
              {`: ${voice.date(created)}, ${voice.money(due, currency)}, ${voice.status(status)}`}
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="payments">
        <h2 id="payments">{t.portal.payments}</h2>
        {view.payments.length === 0 && <p>{t.portal.noPayments}</p>}
        <ul className="links">
          {view.payments.map(({ id, created, amount, currency, status }) => (
            <li key={id}>
              <a href={`${base}/clock/${id}`}>{`${voice.money(amount, currency)}, ${voice.date(created)}`}</a>
              {`: ${voice.status(status)}`}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

interface SubscriptionProps extends PortalPageProps {
  subscription: Stripe.Subscription;
}

function Subscription({ voice, base, view, problems, subscription }: SubscriptionProps) {
  const { t, money, date } = voice;
  const { id, status, currency, cancel_at_period_end: ends, collection_method: method } = subscription;
  const item = itemOf(subscription);
  const { current_period_start: start, current_period_end: end } = item;
  const name = view.names.get(id) ?? "";
  const interval = item.price.recurring?.interval ?? "month";
  const amount = money((item.plan.amount ?? 0) * (item.quantity ?? 1), currency);
  // Not for `send_invoice`: with an unpaid invoice, a change to a smaller plan would create a credit.
  const plans = view.plans.filter((plan) => currency in plan.amounts && plan.id !== item.price.id && method !== "send_invoice");
  const problem = problems.find(({ field }) => field === `price-${id}`);
  return (
    <article aria-labelledby={id}>
      <h3 id={id}>{name}</h3>
      <dl>
        <Fact name={t.portal.status} value={voice.status(status)} />
        <Fact name={t.portal.price} value={fill(t.pay.perInterval, { amount, interval: t.interval[interval] })} />
        <Fact name={t.portal.period} value={fill(t.portal.until, { start: date(start), end: date(end) })} />
      </dl>
      {ends && !isOver(subscription) && <p>{fill(t.portal.ends, { date: date(end) })}</p>}
      {!isOver(subscription) && (
        <>
          <form method="post" className="actions">
            <input type="hidden" name="subscription" value={id} />
            <button name="do" value={ends ? "resume" : "cancel-at-end"}>
              {ends ? t.portal.resume : fill(t.portal.cancelAtEnd, { date: date(end) })}
            </button>
          </form>
          {plans.length > 0 && (
            <form method="post">
              <input type="hidden" name="subscription" value={id} />
              <div className="field">
                <label htmlFor={`price-${id}`}>{t.portal.plan}</label>
                {problem && (
                  <p className="wrong" id={`price-${id}-wrong`}>
                    {t.errorPrefix} {problem.message}
                  </p>
                )}
                <select
                  id={`price-${id}`}
                  name="price"
                  aria-describedby={problem && `price-${id}-wrong`}
                  aria-invalid={problem ? true : undefined}
                >
                  {plans.map((plan) => (
                    <option key={plan.id} value={plan.id}>
                      {`${plan.name}: ${fill(t.pay.perInterval, {
                        amount: money(plan.amounts[currency] ?? 0, currency),
                        interval: t.interval[plan.interval as keyof typeof t.interval],
                      })}`}
                    </option>
                  ))}
                </select>
              </div>
              <button name="do" value="change">
                {t.portal.change}
              </button>
            </form>
          )}
        </>
      )}
      <p className="links">
        <a href={`${base}/clock/${id}`}>{fill(t.portal.clock, { name })}</a>
      </p>
    </article>
  );
}
