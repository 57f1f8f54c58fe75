import { data, redirect } from "@remix-run/node";
import { requireSignInSince, requireUser, type Args } from "~/accounts/guard.server";
import type { User } from "~/accounts/user.server";
import { HOUR_MS } from "~/platform/durations";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";

/** Maximum age of the sign-in: enough time to work through a list, too short for a later user of the same device. */
const RECENT_MS = HOUR_MS;

/**
 * The signed-in administrator.
 * @throws 404 for everybody else, like a page that does not exist; a redirect to `/login` if the sign-in is too old: submitted
 * form fields are kept, except passwords; a redirect to the second factor for a local account without one
 */
export async function requireAdministrator(args: Args): Promise<User> {
  const present = await args.context.visitor.user();
  if (!present?.isAdministrator) throw data(null, { status: 404 });
  const user = await requireUser(args);
  await requireSignInSince(Date.now() - RECENT_MS, args);
  await requireSecondFactor(args, user);
  return user;
}

/** Local accounts only: a hosted provider asks for second factors itself. */
async function requireSecondFactor({ context }: Args, { id, subject }: User): Promise<void> {
  if (subject !== null || (await context.services.secondFactors.hasSecondFactor(id))) return;
  await context.visitor.flash({ text: "secondFactorNeeded", kind: "problem" });
  throw redirect("/account/second-factor", 303);
}

/** Action of a page without forms; 404 for everybody except administrators. */
export async function refuseForms(args: Args): Promise<never> {
  await requireAdministrator(args);
  return methodNotAllowed();
}
