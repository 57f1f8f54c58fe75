import { redirect, redirectDocument, type ActionFunctionArgs } from "@remix-run/node";
import { pageOrSetup } from "~/billing/guard.server";
import { requireUser } from "~/accounts/guard.server";
import { ProviderUnavailable } from "~/billing/billing-errors";
import { ownPath } from "~/platform/http/own-path";
import { localeOf } from "~/platform/i18n/i18n.server";

/** Redirects to the provider's pages for invoices, payment methods and canceling. */
export async function action(args: ActionFunctionArgs) {
  const user = await requireUser(args);
  const { services, visitor, log } = args.context;
  try {
    const portal = services.billing && (await services.billing.openPortal(user, await localeOf(args.request)));
    return portal ? redirectDocument(ownPath(portal, services.env.BASE_URL), 303) : redirect("/setup", 303);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    log.error({ err: error }, "the billing portal could not be opened");
    await visitor.flash({ text: "portalUnavailable", kind: "problem" });
    return redirect(await pageOrSetup(args.context, user.id, "/profile/general"), 303);
  }
}

/** A direct visit of the address goes to the profile. */
export function loader() {
  return redirect("/profile/general");
}

/** With a component, Remix answers a refused form with the error page and not with JSON. */
export default function Nothing() {
  return null;
}
