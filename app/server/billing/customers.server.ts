import type Stripe from "stripe";
import { COMMAND_LINE, createAuditLog } from "~/administration/audit-log.server";
import { createStripeProvider } from "~/billing/stripe/provider.server";
import type { Env } from "~/platform/env.server";
import { emailKey } from "~/platform/forms/email-address";
import { createCustomers } from "~/billing/customer.server";
import { toUser } from "~/accounts/user.server";
import { openExistingDatabase } from "~/server/storage/database.server";

/**
 * Customers of accounts at the payment provider, for a command beside the server.
 * @throws {InvalidSetting} if there is no database yet
 */
export async function openAccountCustomers(env: Env, stripe: Stripe) {
  const db = await openExistingDatabase(env);
  const customers = createCustomers({ db, provider: createStripeProvider({ stripe, webhookSecret: null }), log: () => {} });
  return {
    /** @returns customer of the account, created at the provider if missing; null if no account has that address */
    async customerOf(email: string): Promise<string | null> {
      const row = await db.selectFrom("user").selectAll().where("email_key", "=", emailKey(email)).executeTakeFirst();
      if (!row) return null;
      const customer = await customers.customerOf(toUser(row));
      await createAuditLog({ db }).note({ actor: COMMAND_LINE, action: "customer_looked_up", subject: row, details: { customer } });
      return customer;
    },
    close: () => db.destroy(),
  };
}
