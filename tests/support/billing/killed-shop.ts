import { text } from "node:stream/consumers";
import type { BillingEvent } from "~/billing/provider";
import type { PlanOrder, Way } from "~/billing/checkout.server";
import type { DatabaseLocation } from "../database/server-database";
import { openShop } from "./shop";

/*
 * Separate process, killed by the test: it takes an order or handles an event, and ends.
 * Standard input: the job as JSON; the process waits for it.
 */
interface Job extends DatabaseLocation {
  host: string;
  port: number;
  what: Way | "event";
  name: string;
  order: PlanOrder;
  event: BillingEvent;
}

const { what, name, order, event, ...where } = JSON.parse(await text(process.stdin)) as Job;
const shop = await openShop(where);
if (what === "event") await shop.billing.handleEvent(event);
else {
  const buyer = await shop.customer(name);
  if (what === "checkout") await shop.billing.startCheckout(buyer, order, "de");
  else if (what === "link") await shop.billing.mailLink(buyer, order, "de");
  else await shop.billing.sendInvoice(buyer, order, "de");
}
await shop.close();
