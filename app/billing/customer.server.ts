import type { Db } from "db/schema";
import type { BillingProvider } from "./provider";
import { isCustomerUnknown, SeveralCustomers } from "./billing-errors";
import type { User } from "~/accounts/user.server";
import type { EventLog } from "~/platform/event-log";

export interface CustomersOptions {
  db: Db;
  provider: Pick<BillingProvider, "findCustomer" | "createCustomer">;
  log: EventLog;
}

/** Customers at the provider for our users. */
export function createCustomers({ db, provider, log }: CustomersOptions) {
  return { withCustomer, customerOf, findCustomer, isAmbiguous, customerRow, keepCustomer };

  /** Calls `work` with the user's customer; replaces it if the provider does not know it. */
  async function withCustomer<Result>(user: User, work: (customer: string) => Promise<Result>): Promise<Result> {
    const customer = await customerOf(user);
    try {
      return await work(customer);
    } catch (error) {
      if (!isCustomerUnknown(error)) throw error;
      log("unknown customer replaced", { message: (error as Error).message });
      const unknown = db.updateTable("customer").set({ customer_id: null }).where("customer_id", "=", customer);
      await unknown.where("user_id", "=", user.id).execute();
      return work(await customerOf(user, customer));
    }
  }

  /**
   * Customer from our own row first: the provider may not find a newly created customer.
   * @param instead a customer that no longer exists there, to be replaced
   */
  async function customerOf(user: User, instead: string | null = null): Promise<string> {
    const known = await customerRow(user.id);
    if (known?.customer_id) return known.customer_id;
    const found = await findCustomer(user);
    if (found) return found;
    const order = { id: user.id, key: keyOf(user), email: user.email, instead };
    const created = await provider.createCustomer(order).catch((error: unknown) => {
      log("Error creating customer", { err: error });
      throw error;
    });
    await keepCustomer(user.id, { customer_id: created, several: 0 });
    return created;
  }

  async function findCustomer(user: User): Promise<string | null> {
    try {
      const found = await provider.findCustomer(keyOf(user));
      if (found) await keepCustomer(user.id, { customer_id: found, several: 0 });
      return found;
    } catch (error) {
      if (error instanceof SeveralCustomers) {
        // "Expected exactly one customer, but found N"
        log(error.message, { user: user.id });
        await keepCustomer(user.id, { several: error.count });
      }
      throw error;
    }
  }

  /** Whether the provider has several customers for a user, so that it is unclear which one counts. */
  async function isAmbiguous(userId: string): Promise<boolean> {
    const row = await customerRow(userId);
    return row !== undefined && row.customer_id === null && row.several > 1;
  }

  function customerRow(userId: string) {
    return db.selectFrom("customer").selectAll().where("user_id", "=", userId).executeTakeFirst();
  }

  async function keepCustomer(userId: string, values: { customer_id?: string; several: number }): Promise<void> {
    await db
      .insertInto("customer")
      .values({ user_id: userId, customer_id: null, ...values })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
      .execute();
  }
}

/** Key for finding the provider's customer. */
const keyOf = ({ id, subject }: User) => subject ?? id;
