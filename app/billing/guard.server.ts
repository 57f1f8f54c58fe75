import { redirect } from "@remix-run/node";
import { choicePath } from "./plans/choice";
import type { User } from "~/accounts/user.server";
import { requireUser, type Args } from "~/accounts/guard.server";

/**
 * Who is signed in and has something now that covers new scans: for what costs.
 * @throws a redirect to `/login` or to `/setup`
 */
export async function requireEntitled(args: Args): Promise<User> {
  const user = await requireUser(args);
  if (await args.context.services.entitlements.isEntitled(user.id)) return user;
  throw await toSetup(args, user);
}

/**
 * Who is signed in and has bought something, now or ever: for what was paid for, which stays readable.
 * @throws a redirect to `/login` or to `/setup`
 */
export async function requireBuyer(args: Args): Promise<User> {
  const user = await requireUser(args);
  if (await args.context.services.entitlements.hasBought(user.id)) return user;
  throw await toSetup(args, user);
}

async function toSetup({ request, context }: Args, user: User): Promise<Response> {
  context.log.info("Redirecting to setup");
  // The site that somebody came for is the one to buy something for.
  const { searchParams } = new URL(request.url);
  const again = searchParams.get("again");
  const url = searchParams.get("url") ?? (again && (await context.services.runs.ofOwner(again, user.id))?.url) ?? "";
  return redirect(choicePath("/setup", { url }), 303);
}

/**
 * A page for who has bought something, or the plans for who never has: a redirect by the guard would take one answer more, and
 * with it the message that the next page is to show.
 */
export async function pageOrSetup({ services }: Args["context"], userId: string, page: string): Promise<string> {
  return (await services.entitlements.hasBought(userId)) ? page : "/setup";
}
