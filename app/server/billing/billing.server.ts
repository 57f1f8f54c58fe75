import type { Logger } from "pino";
import type { Db } from "db/schema";
import type { PaymentConnection } from "~/billing/connection";
import { createStripe } from "~/billing/stripe/client.server";
import { createStripeProvider } from "~/billing/stripe/provider.server";
import type { Env } from "~/platform/env.server";
import type { Installation } from "~/platform/installation/installation";
import { startPeriodicTask } from "~/platform/async/periodic-task";
import type { LegalTexts } from "~/legal/legal-texts.server";
import { writeLetter } from "~/mail/letters.server";
import { createBilling, type Billing } from "~/billing/billing.server";
import type { Fulfilments } from "~/billing/fulfilment";
import type { Mails } from "~/mail/outbox.server";
import type { PurchaseModel } from "~/billing/purchase.server";
import { eventLog } from "~/server/event-log.server";

const EVERY_MS = 30_000;

export interface BillingServices {
  /** Billing; null if nothing is sold. */
  billing: Billing | null;
}

interface Started {
  services: BillingServices;
  stop: () => Promise<void>;
}

/** Starts billing, with the periodic work that keeps it in sync with the provider. @param payments null if nothing is sold */
export function startBilling(
  env: Env,
  log: Logger,
  { db, legal, mails, purchases, fulfilments, installation }: { db: Db; legal: LegalTexts; mails: Mails; purchases: PurchaseModel; fulfilments: Fulfilments; installation: Pick<Installation, "leads" | "lock"> },
  payments: PaymentConnection | null,
): Started {
  if (!payments) return { services: { billing: null }, stop: async () => {} };
  const { secretKey, webhookSecret, address } = payments;
  const provider = createStripeProvider({
    stripe: createStripe(secretKey, address),
    webhookSecret,
    log: eventLog(log),
    terms: (locale) => legal.lines(locale).join("\n"),
  });
  const write: typeof writeLetter = (kind, locale, values) => writeLetter(kind, locale, values, legal.lines(locale));
  const shared = { db, provider, purchases, fulfilments, mails, installation, baseUrl: env.BASE_URL };
  const billing = createBilling({ ...shared, write, log: eventLog(log) });
  // Separate tasks: a failure must not stop the others, and notices do not need the provider, which may be down.
  const tasks = [billing.sendExpiryNotices, billing.writeUrls, billing.reconcileStale].map((work) =>
    startPeriodicTask({
      everyMs: EVERY_MS,
      work: async () => installation.leads() && work(),
      onError: (error) => log.error({ err: error }, "billing is behind"),
    }),
  );
  return { services: { billing }, stop: () => Promise.all(tasks.map((task) => task.stop())).then(() => {}) };
}
