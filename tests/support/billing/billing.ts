import { createUsers } from "~/accounts/user.server";
import { createBilling } from "~/billing/billing.server";
import type { BillingEvent } from "~/billing/provider";
import { createPurchases } from "~/billing/purchase.server";
import type { Mail } from "~/mail/mail";
import { writeLetter } from "~/mail/letters.server";
import { createFulfilments } from "~/runs/fulfilment.server";
import { createScanRequests } from "~/runs/scan-request.server";
import { createProviderDouble } from "../../doubles/billing-provider";
import { freshDatabase } from "../database/database";
import { runsOf } from "../database/finished-runs";

export type BillingSetUp = Awaited<ReturnType<typeof setUpBilling>>;

/** Billing on a fresh database with a double of the provider, and the user Ada, who wants mails about finished scans. */
export async function setUpBilling() {
  const db = await freshDatabase();
  const provider = createProviderDouble();
  const purchases = createPurchases({ db });
  const logged: string[] = [];
  const mails: Mail[] = [];
  const outbox = { post: async (_trx: unknown, mail: Mail) => void mails.push(mail) };
  const log = (event: string) => void logged.push(event);
  const runs = runsOf(db);
  const profile = { subject: "auth0|ada", email: "ada@example.org", emailVerified: true, name: "Ada" };
  const ada = await createUsers({ db }).recognise(profile, "de");
  const scanRequests = createScanRequests({ db, runs, purchases, open: false, trialScans: 0 });
  const fulfilments = createFulfilments({ db, runs, scanRequests, mailWish: async (owner) => owner === ada.id, storedAccess: async () => null });
  const around = { mails: outbox, write: writeLetter, baseUrl: "https://rampe.example", log };
  const billing = createBilling({ db, provider, purchases, fulfilments, ...around });

  /** Event of the provider about Ada. */
  const event = (id: string, more: Partial<BillingEvent> = {}): BillingEvent => ({
    id,
    type: "customer.subscription.updated",
    createdAt: 0,
    customer: `cus_${ada.id}`,
    payment: null,
    ...more,
  });

  return { db, provider, purchases, runs, billing, ada, logged, mails, event };
}

/** Order of a buyer, by default Pro for a website. */
export const order = (id: string, more = {}) => ({ id, plan: "pro", rhythm: "month", url: "https://a.example/page", checkId: null, ...more }) as const;
