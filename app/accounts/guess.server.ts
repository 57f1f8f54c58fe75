import type { AppLoadContext } from "@remix-run/node";
import type { Guess } from "./guess";

/** Of somebody who signs in. */
export async function guessOf({ visitor, clientAddress }: AppLoadContext, email: string): Promise<Guess> {
  return { email, address: clientAddress, browser: await visitor.knownBrowser(email) };
}

/** Of somebody who is signed in and proves once more who they are. */
export async function guessOfUser({ visitor, clientAddress }: AppLoadContext, { email }: { email: string }): Promise<Guess> {
  return { email, address: clientAddress, browser: (await visitor.session())?.idHash ?? null };
}
