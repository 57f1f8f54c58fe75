import type { Locale } from "~/platform/i18n/i18n";
import { ownPath } from "~/platform/http/own-path";
import { formatPrice } from "./plans/plans";

interface Invoice {
  id: string;
  number: string | null;
  planName: string;
  /** Amount in cents. */
  amount: number;
  currency: string;
  dueAt: number | null;
  url: string;
}

/** An open invoice, with its amount as text. */
export interface InvoiceView {
  id: string;
  name: string;
  planName: string;
  price: string;
  /** Unix time in ms. */
  dueAt: number | null;
  href: string;
}

/** A paid invoice, with its total as text. */
export interface PaidInvoiceView {
  id: string;
  name: string;
  planName: string;
  price: string;
  /** Unix time in ms. */
  createdAt: number;
  href: string;
}

type Paid = Omit<Invoice, "amount" | "dueAt"> & { total: number; createdAt: number };

export function paidInvoiceViews(invoices: Paid[], locale: Locale, baseUrl: string): PaidInvoiceView[] {
  return invoices.map(({ id, number, planName, total, currency, createdAt, url }) => ({
    id,
    name: number ?? id,
    planName,
    price: formatPrice(total / 100, currency.toUpperCase(), locale),
    createdAt,
    href: ownPath(url, baseUrl),
  }));
}

export function invoiceViews(invoices: Invoice[], locale: Locale, baseUrl: string): InvoiceView[] {
  return invoices.map(({ id, number, planName, amount, currency, dueAt, url }) => ({
    id,
    name: number ?? id,
    planName,
    price: formatPrice(amount / 100, currency.toUpperCase(), locale),
    dueAt,
    href: ownPath(url, baseUrl),
  }));
}
