import type Stripe from "stripe";
import { CardSection, type CardForm } from "./card-form";
import { Fact } from "./page";
import type { PageContext } from "./page-context";

interface CheckoutPageProps {
  context: PageContext;
  session: Stripe.Checkout.Session;
  lines: Stripe.LineItem[];
  form: CardForm;
}

export function CheckoutPage({ context, session, lines, form }: CheckoutPageProps) {
  const { t, money, moneyPer } = context;
  const total = money(session.amount_total ?? 0, session.currency ?? "eur");
  return (
    <>
      <section aria-labelledby="what">
        <h2 id="what">{t.pay.what}</h2>
        <dl>
          {lines.map(({ id, description, price, amount_total: amount, currency }) => (
            <Fact
              key={id}
              name={description ?? ""}
              value={price?.recurring ? moneyPer(amount, currency, price.recurring.interval) : money(amount, currency)}
            />
          ))}
          <Fact name={t.pay.total} value={total} total />
        </dl>
      </section>
      <CardSection
        context={context}
        form={form}
        amount={total}
        terms={<ShopText text={session.custom_text.submit?.message ?? ""} />}
        cancel={
          session.cancel_url && (
            <button name="do" value="cancel">
              {t.pay.cancel}
            </button>
          )
        }
      />
    </>
  );
}

const ADDRESS = /(https?:\/\/\S+)/;

/** Text of the shop, one paragraph per line; addresses become links. */
function ShopText({ text }: { text: string }) {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => (
      <p key={line}>
        {/* Splitting by a pattern with a group puts each address at an odd position. */}
        {line.split(ADDRESS).map((part, position) => (position % 2 === 1 ? <a key={part} href={part}>{part}</a> : part))}
      </p>
    ));
}

interface OverProps {
  heading: string;
  text: string;
  back: string | null;
  backLabel: string;
}

/** Page of a session that is over. */
export function OverPage({ heading, text, back, backLabel }: OverProps) {
  return (
    <section aria-labelledby="over">
      <h2 id="over">{heading}</h2>
      <p>{text}</p>
      {back && (
        <p className="links">
          <a href={back}>{backLabel}</a>
        </p>
      )}
    </section>
  );
}
