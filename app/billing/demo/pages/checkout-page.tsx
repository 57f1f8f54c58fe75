import type Stripe from "stripe";
import { CardFields, TestCards, type TypedCard } from "./card-form";
import { Fact, type FieldProblem } from "./page";
import { fill, type Voice } from "./texts";

interface CheckoutPageProps {
  voice: Voice;
  session: Stripe.Checkout.Session;
  lines: Stripe.LineItem[];
  trialDays: number | null;
  typed: TypedCard;
  problems: FieldProblem[];
}

export function CheckoutPage({ voice, session, lines, trialDays, typed, problems }: CheckoutPageProps) {
  const { t, money } = voice;
  const total = money(session.amount_total ?? 0, session.currency ?? "eur");
  return (
    <>
      <section aria-labelledby="what">
        <h2 id="what">{t.pay.what}</h2>
        <dl>
          {lines.map((line) => (
            <Line key={line.id} voice={voice} line={line} />
          ))}
          <Fact name={t.pay.total} value={total} total />
        </dl>
        {trialDays !== null && <p>{fill(t.pay.trial, { days: trialDays })}</p>}
      </section>
      <section aria-labelledby="card">
        <h2 id="card">{t.pay.card}</h2>
        <form method="post" noValidate>
          <CardFields voice={voice} typed={typed} problems={problems} withEmail={asksForEmail(session)} />
          <ShopText text={session.custom_text.submit?.message ?? ""} />
          <div className="actions">
            <button className="main" name="do" value="pay">
              {session.amount_total === 0 ? t.pay.submitFree : fill(t.pay.submit, { amount: total })}
            </button>{" "}
            {session.cancel_url && (
              <button name="do" value="cancel">
                {t.pay.cancel}
              </button>
            )}
          </div>
        </form>
      </section>
      <TestCards t={t} />
    </>
  );
}

const ADDRESS = /(https?:\/\/\S+)/;

/** The shop's text, one paragraph per line; addresses become links. */
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

/** True if the payer's address is not known yet. */
export function asksForEmail({ customer, customer_email: email }: Stripe.Checkout.Session): boolean {
  return customer === null && email === null;
}

function Line({ voice: { t, money }, line }: { voice: Voice; line: Stripe.LineItem }) {
  const quantity = line.quantity ?? 1;
  const name = line.description ?? "";
  const amount = money(line.amount_total, line.currency);
  const interval = line.price?.recurring?.interval;
  const value = interval ? fill(t.pay.perInterval, { amount, interval: t.interval[interval] }) : amount;
  return <Fact name={quantity === 1 ? name : fill(t.pay.quantity, { quantity, name })} value={value} />;
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
