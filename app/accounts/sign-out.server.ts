import type { AppLoadContext } from "@remix-run/node";

/** Ends the session here. @returns the page that ends it at the hosted provider, too; null if there is none */
export async function signOut({ visitor, services }: AppLoadContext): Promise<string | null> {
  const session = await visitor.session();
  await visitor.signOut();
  return (await services.hosted?.logoutUrl(session?.tokens?.idToken ?? null)) ?? null;
}
