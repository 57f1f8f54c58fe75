import type { AppLoadContext } from "@remix-run/node";

/** Ends the session here. @returns page that also ends it at the hosted provider; null if there is none */
export async function signOut({ visitor, services }: AppLoadContext): Promise<string | null> {
  const session = await visitor.session();
  await visitor.signOut();
  return (await services.hosted?.logoutUrl(session?.tokens?.idToken ?? null)) ?? null;
}
