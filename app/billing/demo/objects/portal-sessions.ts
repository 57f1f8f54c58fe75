import { z } from "zod";
import type Stripe from "stripe";
import { LOCALES } from "~/platform/i18n/i18n";
import { newId } from "~/billing/demo/protocol/identifier";
import * as params from "~/billing/demo/protocol/parameters";
import type { Store } from "~/billing/demo/store/store";

export const newPortalSession = z.strictObject({
  customer: params.text,
  return_url: params.url,
  locale: z.enum(LOCALES).optional(),
  expand: params.expand,
});

type Fields = z.output<typeof newPortalSession>;

export function createPortalSession(store: Store, { customer, return_url: returnUrl, locale }: Fields): Stripe.BillingPortal.Session {
  const id = newId("bps");
  return store.create(
    "billing_portal.session",
    {
      id,
      object: "billing_portal.session",
      configuration: "bpc_cashier",
      created: store.seconds(),
      customer: store.get("customer", customer, "customer").id,
      flow: null,
      livemode: false,
      locale: locale ?? null,
      on_behalf_of: null,
      return_url: returnUrl,
      url: store.urlOf("portal", id),
    },
    {},
    "billing_portal.session.created",
  );
}
