import { hashOf } from "~/platform/crypto/tokens.server";
import { within } from "~/platform/async/deadline";
import { noAnswer } from "~/accounts/sign-in-errors";
import type { HostedIdentity, HostedTokens } from "./hosted";

type Refresh = HostedIdentity["refresh"];
type WithRefreshToken = HostedTokens & { refreshToken: string };

/** Time in which requests with the same old refresh token share one answer. */
const KEPT_MS = 10_000;

/**
 * Renews tokens once for simultaneous requests. Providers that replace refresh tokens treat a second use of one as
 * theft.
 * @param totalMs time limit of a renewal
 */
export function shareRefresh(renew: (tokens: WithRefreshToken) => ReturnType<Refresh>, totalMs: number): Refresh {
  const refreshed = new Map<string, ReturnType<Refresh>>();
  return ({ refreshToken, ...tokens }) => {
    if (refreshToken === null) return Promise.resolve(null);
    const key = hashOf(refreshToken);
    const running = refreshed.get(key) ?? within(totalMs, renew({ ...tokens, refreshToken }), noAnswer);
    refreshed.set(key, running);
    const forget = () => refreshed.delete(key);
    running.then(() => setTimeout(forget, KEPT_MS).unref(), forget);
    return running;
  };
}
