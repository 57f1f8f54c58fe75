import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { localeOf } from "~/platform/i18n/i18n.server";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { signInTarget } from "~/platform/http/return-to";
import { CallbackFailed } from "~/accounts/sign-in-errors";
import { admits, AdmissionUsed } from "~/accounts/registration.server";
import { refuseSignIn, signIn } from "~/accounts/sign-in.server";

/** Callback of the hosted identity provider; redirects to `/login` after a failure, with a link to try again. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { services, log } = context;
  if (!services.hosted) throw redirect("/login", 303);
  try {
    const { profile, tokens, returnTo } = await services.hosted.finish(request);
    const { users, registration } = services;
    const link = await registration.admissionOf(returnTo);
    const admission = link && admits(link, profile.email) ? link : null;
    const barrier = registration.barrierFor(admission);
    const isKnown = await users.isKnown(profile.subject);
    if (barrier && !isKnown) return link ? refuseSignIn("other_address", signInTarget(returnTo)) : refuseSignIn(barrier);
    const user = await users.recognise(profile, await localeOf(request), admission);
    await signIn({ request, context }, user, { tokens });
    // A new account has used the invitation in `returnTo`.
    return redirect(signInTarget(admission?.email && !isKnown ? "" : returnTo), 303);
  } catch (error) {
    if (error instanceof AdmissionUsed) return refuseSignIn("invite");
    if (!(error instanceof CallbackFailed)) throw error;
    // Only the stack of the cause: the message of a token error contains personal data of the user.
    const reason = error.cause instanceof Error ? error.cause.stack : undefined;
    log.warn({ problem: error.problem, reason }, "signing in failed");
    const query = new URLSearchParams({ problem: error.problem, returnTo: signInTarget(error.returnTo) });
    return redirect(`/login?${query}`, 303);
  }
}

export const action = methodNotAllowed;

/** With a component, Remix answers a refused form with the error page and not with JSON. */
export default function Nothing() {
  return null;
}
