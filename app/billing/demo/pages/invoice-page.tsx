import { CardFields, TestCards, type TypedCard } from "./card-form";
import type { Objects } from "~/billing/demo/store/objects";
import { Fact, type FieldProblem } from "./page";
import { fill, type Voice } from "./texts";

interface InvoicePageProps {
  voice: Voice;
  invoice: Objects["invoice"];
  /** Whether a payment is pending. */
  pending: boolean;
  typed: TypedCard;
  problems: FieldProblem[];
}

export function InvoicePage({ voice, invoice, pending, typed, problems }: InvoicePageProps) {
  const { t, money, date } = voice;
  const { currency, total, amount_due: due, status, due_date: dueDate } = invoice;
  const payable = status === "open" && !pending;
  const settled = status === "paid" ? t.invoice.paid : t.invoice.void;
  const state = pending ? t.invoice.pending : status === "open" ? t.invoice.open : settled;
  return (
    <>
      <p>{state}</p>
      <dl>
        {invoice.lines.data.map(({ id, description, amount }) => (
          <Fact key={id} name={description ?? ""} value={money(amount, currency)} />
        ))}
        {due !== total && <Fact name={t.invoice.credit} value={money(due - total, currency)} />}
        <Fact name={status === "open" ? t.invoice.due : t.invoice.total} value={money(due, currency)} total />
      </dl>
      {payable && dueDate !== null && <p>{fill(t.invoice.dueDate, { date: date(dueDate) })}</p>}
      {payable && (
        <>
          <section aria-labelledby="card">
            <h2 id="card">{t.pay.card}</h2>
            <form method="post" noValidate>
              <CardFields voice={voice} typed={typed} problems={problems} withEmail={false} />
              <button className="main" name="do" value="pay">
                {fill(t.pay.submit, { amount: money(due, currency) })}
              </button>
            </form>
          </section>
          <TestCards t={t} />
        </>
      )}
    </>
  );
}
