import type { Db, Trx } from "db/schema";
import type { ProviderInvoice } from "./provider";
import type { Locale } from "~/platform/i18n/i18n";
import { formatPrice } from "./plans/plans";
import type { WriteLetter } from "~/mail/mail";
import type { Mails } from "~/mail/outbox.server";
import { TIME_ZONE } from "~/platform/i18n/time-zone";

/** An open invoice. The amount is in cents, times are Unix time in ms. */
export interface OpenInvoice {
  id: string;
  number: string | null;
  planName: string;
  amount: number;
  currency: string;
  dueAt: number | null;
  /** Provider's page for payment. */
  url: string;
}

/** A paid invoice. The total is in cents, the time Unix time in ms. */
export interface PaidInvoice {
  id: string;
  number: string | null;
  planName: string;
  total: number;
  currency: string;
  createdAt: number;
  /** Provider's page for reading and printing. */
  url: string;
}

/** Maximum number of paid invoices; more are at the provider's portal. */
const MOST_PAID = 12;

export interface InvoicesOptions {
  db: Db;
  mails: Pick<Mails, "post">;
  /** Renders a mail as text. */
  write: WriteLetter;
  /** Public origin, for the links in mails. */
  baseUrl: string;
}

/** Invoices sent by mail, and their mails: one for each, also for later periods. */
export function createInvoices({ db, mails, write, baseUrl }: InvoicesOptions) {
  return { store, openOf, paidOf };

  /** Stores all invoices from the provider, and mails new ones. */
  async function store(userId: string, invoices: ProviderInvoice[]): Promise<void> {
    await db.transaction().execute(async (trx) => {
      for (const invoice of invoices) await storeOne(trx, userId, invoice);
      let gone = trx.updateTable("invoice").set({ status: "gone" }).where("user_id", "=", userId);
      if (invoices.length > 0) gone = gone.where("id", "not in", invoices.map(({ id }) => id));
      await gone.execute();
    });
  }

  async function storeOne(trx: Trx, userId: string, invoice: ProviderInvoice): Promise<void> {
    const { id, order, number, planName, status, amount, total, currency, createdAt, dueAt, url } = invoice;
    const row = { number, plan_name: planName, status, amount, total, currency, created_at: createdAt, due_at: dueAt, url };
    const { mailed_at } = await trx
      .insertInto("invoice")
      .values({ id, user_id: userId, ...row, mailed_at: null })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
      .returning("mailed_at")
      .executeTakeFirstOrThrow();
    if (order !== null) await claim(trx, userId, order, id);
    if (mailed_at !== null || status !== "open" || url === null) return;
    await mail(trx, userId, { ...invoice, url });
    await trx.updateTable("invoice").set({ mailed_at: Date.now() }).where("id", "=", id).execute();
  }

  /** Finds the order of an invoice if the provider's answer was lost. */
  async function claim(trx: Trx, userId: string, order: string, invoiceId: string): Promise<void> {
    await trx
      .updateTable("checkout_order")
      .set({ checkout_id: invoiceId })
      .where("id", "=", order)
      .where("user_id", "=", userId)
      .where("way", "=", "invoice")
      .where("checkout_id", "is", null)
      .execute();
  }

  async function mail(trx: Trx, userId: string, { number, id, planName, amount, currency, dueAt, url }: OpenInvoice): Promise<void> {
    const { email, locale } = await trx
      .selectFrom("user")
      .select(["email", "locale"])
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    const values = {
      number: number ?? id,
      plan: planName,
      amount: formatPrice(amount / 100, currency.toUpperCase(), locale),
      due: dueAt === null ? "–" : formatDay(dueAt, locale),
      link: url,
      contact: `${baseUrl}/contact`,
    };
    await mails.post(trx, { to: email, ...write("invoice", locale, values) });
  }

  /** A user's paid invoices, the latest first. */
  async function paidOf(userId: string): Promise<PaidInvoice[]> {
    const rows = await db
      .selectFrom("invoice")
      .select(["id", "number", "plan_name", "total", "currency", "created_at", "url"])
      .where("user_id", "=", userId)
      .where("status", "=", "paid")
      .orderBy("created_at", "desc")
      .orderBy("id")
      .limit(MOST_PAID)
      .execute();
    return rows.flatMap(({ id, number, plan_name, total, currency, created_at, url }) =>
      url === null ? [] : [{ id, number, planName: plan_name, total, currency, createdAt: created_at, url }],
    );
  }

  /** A user's open invoices, the oldest first. */
  async function openOf(userId: string): Promise<OpenInvoice[]> {
    const rows = await db
      .selectFrom("invoice")
      .selectAll()
      .where("user_id", "=", userId)
      .where("status", "=", "open")
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return rows.flatMap(({ id, number, plan_name, amount, currency, due_at, url }) =>
      url === null ? [] : [{ id, number, planName: plan_name, amount, currency, dueAt: due_at, url }],
    );
  }
}

function formatDay(at: number, locale: Locale): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: TIME_ZONE }).format(at);
}
