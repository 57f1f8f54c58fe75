import { isOver, itemOf } from "~/billing/demo/objects/subscriptions";
import type { PlanOption, PortalView } from "~/billing/demo/lifecycle/portal";
import { withValues } from "~/platform/i18n/i18n.server";
import { Action, Fact, Problem, type FieldProblem } from "./page";
import type { PageContext } from "./page-context";

interface PortalPageProps {
  context: PageContext;
  base: string;
  returnUrl: string | null;
  view: PortalView;
  problems: FieldProblem[];
}

export function PortalPage({ context, base, returnUrl, view, problems }: PortalPageProps) {
  const { t, date, money, status } = context;
  return (
    <>
      {returnUrl && (
        <nav aria-label={t.portal.back}>
          <a href={returnUrl}>{t.portal.back}</a>
        </nav>
      )}
      <section aria-labelledby="subscriptions">
        <h2 id="subscriptions">{t.portal.subscriptions}</h2>
        {view.subscriptions.length === 0 && <p>{t.portal.none}</p>}
        {view.subscriptions.map((each) => (
          <Subscription key={each.subscription.id} {...each} {...{ context, base, problems }} />
        ))}
      </section>
      <section aria-labelledby="method">
        <h2 id="method">{t.portal.method}</h2>
        <p>{view.last4 ? withValues(t.portal.methodNow, { last4: view.last4 }) : t.portal.methodNone}</p>
        <div className="actions">
          <Action name="method-good" label={t.portal.methodGood} />
          <Action name="method-bad" label={t.portal.methodBad} />
        </div>
      </section>
      <section aria-labelledby="invoices">
        <h2 id="invoices">{t.portal.invoices}</h2>
        {view.invoices.length === 0 && <p>{t.portal.noInvoices}</p>}
        <ul className="links">
          {view.invoices.map(({ id, number, created, amount_due: due, currency, status: word }) => (
            <li key={id}>
              <a href={`${base}/invoice/${id}`}>{withValues(t.invoice.title, { number: number ?? id })}</a>
              {`: ${date(created)}, ${money(due, currency)}, ${status(word)}`}
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="payments">
        <h2 id="payments">{t.portal.payments}</h2>
        {view.payments.length === 0 && <p>{t.portal.noPayments}</p>}
        <ul className="links">
          {view.payments.map(({ id, created, amount, currency, status: word }) => (
            <li key={id}>
              <a href={`${base}/clock/${id}`}>{`${money(amount, currency)}, ${date(created)}`}</a>
              {`: ${status(word)}`}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

type SubscriptionProps = PortalView["subscriptions"][number] & Pick<PortalPageProps, "context" | "base" | "problems">;

function Subscription({ context, base, problems, subscription, name, plans }: SubscriptionProps) {
  const { t, moneyPer, date } = context;
  const { id, status, currency, cancel_at_period_end: ends } = subscription;
  const { plan, price, current_period_start: start, current_period_end: end } = itemOf(subscription);
  return (
    <article aria-labelledby={id}>
      <h3 id={id}>{name}</h3>
      <dl>
        <Fact name={t.portal.status} value={context.status(status)} />
        <Fact name={t.portal.price} value={moneyPer(plan.amount ?? 0, currency, price.recurring?.interval)} />
        <Fact name={t.portal.period} value={context.period(start, end)} />
      </dl>
      {!isOver(subscription) && (
        <>
          {ends && <p>{withValues(t.portal.ends, { date: date(end) })}</p>}
          <form method="post" className="actions">
            <input type="hidden" name="subscription" value={id} />
            <button name="do" value={ends ? "resume" : "cancel-at-end"}>
              {ends ? t.portal.resume : withValues(t.portal.cancelAtEnd, { date: date(end) })}
            </button>
          </form>
          {plans.length > 0 && <PlanForm {...{ context, plans, id, currency, problems }} />}
        </>
      )}
      <p className="links">
        <a href={`${base}/clock/${id}`}>{withValues(t.portal.clock, { name })}</a>
      </p>
    </article>
  );
}

interface PlanFormProps extends Pick<PortalPageProps, "context" | "problems"> {
  /** Id of the subscription. */
  id: string;
  currency: string;
  plans: PlanOption[];
}

function PlanForm({ context: { t, moneyPer }, id, currency, plans, problems }: PlanFormProps) {
  const field = `price-${id}`;
  const problem = problems.find((each) => each.field === field);
  return (
    <form method="post">
      <input type="hidden" name="subscription" value={id} />
      <div className="field">
        <label htmlFor={field}>{t.portal.plan}</label>
        <Problem t={t} problem={problem} />
        <select id={field} name="price" aria-describedby={problem && `${field}-wrong`} aria-invalid={problem ? true : undefined}>
          {plans.map((plan) => (
            <option key={plan.id} value={plan.id}>
              {`${plan.name}: ${moneyPer(plan.amount, currency, plan.interval)}`}
            </option>
          ))}
        </select>
      </div>
      <button name="do" value="change">
        {t.portal.change}
      </button>
    </form>
  );
}
