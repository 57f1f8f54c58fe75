import type { AppLoadContext } from "@remix-run/node";

// A kept form is encrypted, returned once, and deleted with the session: right for new codes. No form posts here.
const KEPT_PATH = "/account/second-factor/recovery-codes#new";

/** Keeps new recovery codes, so that the next page can show them. */
export function keepNewCodes({ visitor }: AppLoadContext, codes: string[]): Promise<void> {
  return visitor.keepForm({ path: KEPT_PATH, fields: codes.map((code) => ["code", code]) });
}

/** True if new codes have not been shown yet, for example after a second click. */
export async function hasNewCodes({ visitor }: AppLoadContext): Promise<boolean> {
  return (await visitor.session())?.kept?.path === KEPT_PATH;
}

/** The new codes; deleted after the first call. */
export async function takeNewCodes({ visitor }: AppLoadContext): Promise<string[] | null> {
  const codes = (await visitor.takeKeptForm(KEPT_PATH))?.getAll("code");
  return codes?.filter((code) => typeof code === "string") ?? null;
}
