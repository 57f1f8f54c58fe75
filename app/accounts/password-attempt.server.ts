import type { AppLoadContext } from "@remix-run/node";
import type { PasswordAttempt } from "./password-attempt";

/** Attempt of a visitor who signs in. */
export async function attemptOf({ visitor, clientAddress }: AppLoadContext, email: string): Promise<PasswordAttempt> {
  return { email, address: clientAddress, browser: await visitor.knownBrowser(email) };
}

/** Attempt of a signed-in user who re-authenticates. */
export async function attemptOfUser({ visitor, clientAddress }: AppLoadContext, { email }: { email: string }): Promise<PasswordAttempt> {
  return { email, address: clientAddress, browser: (await visitor.session())?.idHash ?? null };
}
