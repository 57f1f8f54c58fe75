import type { ActionFunctionArgs } from "@remix-run/node";
import { ForgedEvent, MalformedEvent } from "~/billing/billing-errors";

export function loader() {
  return new Response("Events are posted here.\n", { status: 405, headers: { Allow: "POST" } });
}

/** Events of the payment provider. A failed event is answered with 500, so that the provider retries. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { billing } = context.services;
  if (!billing) return new Response("Nothing is sold here.\n", { status: 404 });
  // The signature covers the exact bytes.
  const payload = await request.text();
  try {
    await billing.handleEvent(billing.readEvent(payload, request.headers.get("Stripe-Signature") ?? ""));
    return new Response("ok\n");
  } catch (error) {
    if (error instanceof ForgedEvent) return new Response("The signature does not fit.\n", { status: 400 });
    if (error instanceof MalformedEvent) {
      context.log.error({ err: error }, "an event could not be read");
      return new Response("This is no event.\n", { status: 400 });
    }
    context.log.error({ err: error }, "an event could not be handled");
    return new Response("Please send it again.\n", { status: 500 });
  }
}
