import type { Objects } from "~/billing/demo/store/objects";
import { withValues } from "~/platform/i18n/i18n.server";
import { CardSection, type CardForm } from "./card-form";
import { Fact } from "./page";
import type { PageContext } from "./page-context";

interface InvoicePageProps {
  context: PageContext;
  invoice: Objects["invoice"];
  /** Whether a payment is pending. */
  isPending: boolean;
  form: CardForm;
}

export function InvoicePage({ context, invoice, isPending, form }: InvoicePageProps) {
  const { t, money, date } = context;
  const { currency, total, amount_due: due, status, due_date: dueDate } = invoice;
  const isPayable = status === "open" && !isPending;
  const settled = status === "paid" ? t.invoice.paid : t.invoice.void;
  const state = isPending ? t.invoice.pending : status === "open" ? t.invoice.open : settled;
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
      {isPayable && dueDate !== null && <p>{withValues(t.invoice.dueDate, { date: date(dueDate) })}</p>}
      {isPayable && <CardSection context={context} form={form} amount={money(due, currency)} />}
    </>
  );
}
