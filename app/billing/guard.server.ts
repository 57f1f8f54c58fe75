import { redirect } from "@remix-run/node";
import { choicePath } from "./plans/choice";
import type { User } from "~/accounts/user.server";
import { requireUser, type Args } from "~/accounts/guard.server";

/**
 * The signed-in user, with a purchase that covers new scans now: for paid actions.
 * @throws a redirect to `/login` or to `/setup`
 */
export async function requireEntitled(args: Args): Promise<User> {
  const user = await requireUser(args);
  if (await args.context.services.entitlements.isEntitled(user.id)) return user;
  throw await toSetup(args, user);
}

/**
 * The signed-in user, entitled now or earlier, by a purchase or a trial scan: for results, which stay readable.
 * @throws a redirect to `/login` or to `/setup`
 */
export async function requireResultAccess(args: Args): Promise<User> {
  const user = await requireUser(args);
  if (await args.context.services.entitlements.wasEntitled(user.id)) return user;
  throw await toSetup(args, user);
}

async function toSetup({ request, context }: Args, user: User): Promise<Response> {
  context.log.info("Redirecting to setup");
  // The requested site is the site to buy a plan for.
  const { searchParams } = new URL(request.url);
  const again = searchParams.get("again");
  const url = searchParams.get("url") ?? (again && (await context.services.runs.ofOwner(again, user.id))?.url) ?? "";
  return redirect(choicePath("/setup", { url }), 303);
}

/**
 * Path of a page for users with results, or of the plans for all others. A redirect by the guard would need one more response,
 * which would use up the flash message for the next page.
 */
export async function pageOrSetup({ services }: Args["context"], userId: string, page: string): Promise<string> {
  return (await services.entitlements.wasEntitled(userId)) ? page : "/setup";
}
