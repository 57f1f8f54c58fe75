import { z } from "zod";
import type Stripe from "stripe";
import type { Store } from "~/billing/demo/store/store";
import { findCustomer } from "./customers";
import { newId } from "~/billing/demo/protocol/identifier";
import { localeName } from "~/billing/demo/protocol/locale-names";
import * as take from "~/billing/demo/protocol/parameters";

export const newPortalSession = z.strictObject({
  customer: take.text,
  return_url: take.url.optional(),
  locale: localeName.optional(),
  expand: take.expand,
});

export function createPortalSession(
  store: Store,
  fields: z.output<typeof newPortalSession>,
  publicUrl: string,
): Stripe.BillingPortal.Session {
  const customer = findCustomer(store, fields.customer);
  const id = newId("bps");
  return store.create(
    "billing_portal.session",
    {
      id,
      object: "billing_portal.session",
      configuration: "bpc_cashier",
      created: store.seconds(),
      customer: customer.id,
      flow: null,
      livemode: false,
      locale: fields.locale ?? null,
      on_behalf_of: null,
      return_url: fields.return_url ?? null,
      url: `${publicUrl}/portal/${id}`,
    },
    {},
    "billing_portal.session.created",
  );
}
