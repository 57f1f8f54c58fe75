import type { AppLoadContext } from "@remix-run/node";

/** Sessions of a user, for display. */
export async function sessionViews({ services, visitor }: AppLoadContext, userId: string) {
  const current = await visitor.session();
  const sessions = await services.sessions.list(userId);
  return sessions.map(({ idHash, browser, createdAt, seenAt }) => ({
    id: idHash,
    browser,
    createdAt,
    seenAt,
    current: idHash === current?.idHash,
  }));
}
