import type { AppLoadContext } from "@remix-run/node";

// A kept form is encrypted, returned once, and deleted with the session: right for a new token. No form posts here.
const KEPT_PATH = "/profile/tokens#new";

/** Keeps a new token, so that the next page can show it. */
export function keepNewToken({ visitor }: AppLoadContext, token: string): Promise<void> {
  return visitor.keepForm({ path: KEPT_PATH, fields: [["token", token]] });
}

/** The new token; deleted after the first call. */
export async function takeNewToken({ visitor }: AppLoadContext): Promise<string | null> {
  return (await visitor.takeKept(KEPT_PATH))?.token ?? null;
}
