import { useTranslation } from "react-i18next";
import { LocalTime } from "~/ui/local-time";
import type { PaidInvoiceView } from "~/billing/invoice-views";

/** Paid invoices, with links to read and print them at the provider; renders nothing if there are none. */
export function PaidInvoices({ invoices }: { invoices: PaidInvoiceView[] }) {
  const { t } = useTranslation("billing");
  if (invoices.length === 0) return null;
  return (
    <section aria-labelledby="paid-invoices">
      <h2 id="paid-invoices">{t("invoices.paidHeading")}</h2>
      <ul className="session-list">
        {invoices.map(({ id, name, planName, price, createdAt, href }) => (
          <li key={id}>
            <div>
              <strong>{t("invoices.name", { name })}</strong>
              <p className="hint">
                {planName}, {price}, <LocalTime at={createdAt} dateOnly />
              </p>
            </div>
            <a className="button button-quiet" href={href}>
              {t("invoices.view")}
              <span className="visually-hidden">: {t("invoices.name", { name })}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
