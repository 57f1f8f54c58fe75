import type { AppLoadContext } from "@remix-run/node";
import type { PasswordAttempt } from "./password-attempt";

/** Of somebody who signs in. */
export async function attemptOf({ visitor, clientAddress }: AppLoadContext, email: string): Promise<PasswordAttempt> {
  return { email, address: clientAddress, browser: await visitor.knownBrowser(email) };
}

/** Of somebody who is signed in and proves once more who they are. */
export async function attemptOfUser({ visitor, clientAddress }: AppLoadContext, { email }: { email: string }): Promise<PasswordAttempt> {
  return { email, address: clientAddress, browser: (await visitor.session())?.idHash ?? null };
}
