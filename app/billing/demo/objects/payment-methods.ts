import { newId } from "~/billing/demo/protocol/identifier";
import type { CardOutcome } from "~/billing/demo/store/objects";
import type { Store } from "~/billing/demo/store/store";

/** Typed card, without its number. */
export interface Card {
  last4: string;
  month: number;
  year: number;
  outcome: CardOutcome;
}

/** Stores a card for its customer; only the last four digits of its number are kept. @returns its id */
export function addCard(store: Store, customer: string, { last4, month, year, outcome }: Card): string {
  const { id } = store.create(
    "payment_method",
    {
      id: newId("pm"),
      object: "payment_method",
      allow_redisplay: "limited",
      billing_details: { address: null, email: null, name: null, phone: null },
      card: {
        brand: "visa",
        checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
        country: "US",
        display_brand: "visa",
        exp_month: month,
        exp_year: year,
        funding: "credit",
        generated_from: null,
        last4,
        networks: { available: ["visa"], preferred: null },
        regulated_status: "unregulated",
        three_d_secure_usage: { supported: true },
        wallet: null,
      },
      created: store.seconds(),
      customer,
      livemode: false,
      metadata: {},
      type: "card",
    },
    { card: outcome },
  );
  return id;
}

/** Stores a test card, without a form. @returns its id */
export function addTestCard(store: Store, customer: string, outcome: "succeeds" | "later-declined"): string {
  const year = new Date(store.now()).getUTCFullYear() + 5;
  return addCard(store, customer, { last4: outcome === "succeeds" ? "4242" : "0341", month: 12, year, outcome });
}

/** Sets the card that the portal shows. */
export function makeDefault(store: Store, customer: string, method: string): void {
  store.update(
    "customer",
    customer,
    (draft) => {
      draft.invoice_settings.default_payment_method = method;
    },
    "customer.updated",
  );
}
