import type { Db, Trx } from "db/schema";
import Stripe from "stripe";
import { setUpCatalogue } from "~/billing/plans/catalogue.server";
import { createStripeProvider } from "~/billing/stripe/provider.server";
import type { Mail } from "~/mail/mail";
import { writeLetter } from "~/mail/letters.server";
import { createBilling, type Billing } from "~/billing/billing.server";
import { randomId } from "~/platform/crypto/tokens.server";
import { createFulfilments } from "~/runs/fulfilment.server";
import { createScanRequests } from "~/runs/scan-request.server";
import { createPurchases, type PurchaseModel } from "~/billing/purchase.server";
import { createUsers, type User } from "~/accounts/user.server";
import { SECRET_KEY, WEBHOOK_SECRET } from "../../contracts/open-cashier";
import { runsOf } from "../database/finished-runs";
import { newDatabase, type DatabaseLocation } from "../database/server-database";

export interface Shop {
  db: Db;
  billing: Billing;
  purchases: PurchaseModel;
  /** Mails in the outbox. */
  mails(): Promise<Mail[]>;
  /** Customer; the same name is the same person. */
  customer(name: string): Promise<User>;
  close(): Promise<void>;
}

/** The database stays after the shop has closed. */
export interface ShopOptions extends DatabaseLocation {
  host: string;
  port: number;
  /** Timeout of the provider's package, in place of its default of 80 s. */
  timeoutMs?: number;
}

/** Payment part of the application without its pages: its models, with a provider over HTTP. */
export async function openShop({ dataDir, host, port, timeoutMs = 80_000 }: ShopOptions): Promise<Shop> {
  const db = await newDatabase({ dataDir });
  const stripe = new Stripe(SECRET_KEY, {
    apiVersion: "2025-03-31.basil",
    maxNetworkRetries: 2,
    timeout: timeoutMs,
    telemetry: false,
    ...{ host, port, protocol: "http" },
  });
  const purchases = createPurchases({ db });
  const runs = runsOf(db);
  const scanRequests = createScanRequests({ db, runs, purchases, open: false, trialScans: 0 });
  const billing = createBilling({
    db,
    provider: createStripeProvider({ stripe, webhookSecret: WEBHOOK_SECRET }),
    purchases,
    fulfilments: createFulfilments({ db, runs, scanRequests, mailWish: async () => true, storedAccess: async () => null }),
    mails: { post },
    write: writeLetter,
    baseUrl: "http://rampe.test",
  });
  return {
    db,
    billing,
    purchases,
    async mails() {
      const rows = await db.selectFrom("mail").select("sealed").orderBy("created_at").execute();
      return rows.map(({ sealed }) => JSON.parse(sealed) as Mail);
    },
    customer: (name) =>
      createUsers({ db }).recognise(
        { subject: `auth0|${name}`, email: `${name}@example.org`, emailVerified: true, name },
        "de",
      ),
    close: () => db.destroy(),
  };
}

/** Stores a mail like the outbox, but unencrypted. */
async function post(trx: Trx, mail: Mail): Promise<void> {
  const now = Date.now();
  await trx.insertInto("mail").values({ id: randomId(), sealed: JSON.stringify(mail), created_at: now, run_at: now }).execute();
}

/** Creates the plans at a provider. */
export async function stockPlans({ host, port }: Pick<ShopOptions, "host" | "port">): Promise<void> {
  await setUpCatalogue(new Stripe(SECRET_KEY, { apiVersion: "2025-03-31.basil", host, port, protocol: "http", telemetry: false }));
}
