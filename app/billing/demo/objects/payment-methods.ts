import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import { newId } from "~/billing/demo/protocol/identifier";
import type { CardOutcome } from "~/billing/demo/store/objects";

export interface NewCard {
  customer: string | null;
  email: string | null;
  last4: string;
  month: number;
  year: number;
  outcome: CardOutcome;
}

/** Stores a card for its customer; only the last four digits of its number are kept. */
export function addCard(store: Store, { customer, email, last4, month, year, outcome }: NewCard): Stripe.PaymentMethod {
  const method = store.create(
    "payment_method",
    {
      id: newId("pm"),
      object: "payment_method",
      allow_redisplay: "limited",
      billing_details: { address: null, email, name: null, phone: null },
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
  return method;
}

/** Sets the card that pays a customer's renewals. */
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
