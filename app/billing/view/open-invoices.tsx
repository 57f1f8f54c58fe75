import { useTranslation } from "react-i18next";
import { LocalTime } from "~/ui/local-time";
import type { InvoiceView } from "~/billing/invoice-views";

/** Open invoices, with links to pay them; renders nothing if there are none. */
export function OpenInvoices({ invoices }: { invoices: InvoiceView[] }) {
  const { t } = useTranslation("billing");
  if (invoices.length === 0) return null;
  return (
    <section aria-labelledby="open-invoices">
      <h2 id="open-invoices">{t("invoices.heading", { count: invoices.length })}</h2>
      <p>{t("invoices.lead")}</p>
      <ul className="session-list">
        {invoices.map(({ id, name, planName, price, dueAt, href }) => (
          <li key={id}>
            <div>
              <strong>{t("invoices.name", { name })}</strong>
              <p className="hint">
                {planName}, {price}
                {dueAt !== null && (
                  <>
                    , {t("invoices.due")} <LocalTime at={dueAt} dateOnly />
                  </>
                )}
              </p>
            </div>
            <a className="button button-quiet" href={href}>
              {t("invoices.pay")}
              <span className="visually-hidden">: {t("invoices.name", { name })}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
