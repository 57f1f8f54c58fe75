import type { AppLoadContext } from "@remix-run/node";

// A form that is kept is encrypted, given out once, and gone with the session: what a new token needs. No form posts here.
const PLACE = "/profile/tokens#new";

/** Has the next page show a token that was just made. */
export function keepNewToken({ visitor }: AppLoadContext, token: string): Promise<void> {
  return visitor.keepForm({ path: PLACE, fields: [["token", token]] });
}

/** That token, once. */
export async function takeNewToken({ visitor }: AppLoadContext): Promise<string | null> {
  return (await visitor.takeKept(PLACE))?.token ?? null;
}
