import { setTimeout as pause } from "node:timers/promises";
import { IdentityUnavailable } from "~/accounts/sign-in-errors";

/** Time limits for requests to the provider, in ms. */
export interface RetryPolicy {
  /** Time limit of one answer. */
  tryMs: number;
  /** Time limit of all attempts together: a visitor waits for the page. */
  totalMs: number;
  tries: number;
  /** Wait before the second attempt; twice as long before the third. */
  pauseMs: number;
}

export const RETRY_POLICY: RetryPolicy = { tryMs: 10_000, totalMs: 12_000, tries: 3, pauseMs: 400 };

export type Ask = (address: string, request: RequestInit, options?: { tries?: number }) => Promise<Response>;

/**
 * Calls the provider, with retries and back-off after a time-out, 429 or 5xx.
 * @throws {IdentityUnavailable} if no attempt or no time is left
 */
export function createAsk({ tryMs, totalMs, tries: most, pauseMs }: RetryPolicy): Ask {
  return async (address, request, { tries = most } = {}) => {
    const until = Date.now() + totalMs;
    for (let tried = 1; ; tried += 1) {
      try {
        return await askOnce(address, request, Math.min(tryMs, until - Date.now()));
      } catch (error) {
        const wait = pauseMs * 2 ** (tried - 1);
        if (tried >= tries || Date.now() + wait >= until) throw error;
        await pause(wait);
      }
    }
  };
}

async function askOnce(address: string, request: RequestInit, withinMs: number): Promise<Response> {
  const { pathname } = new URL(address);
  const answer = await fetch(address, { ...request, signal: AbortSignal.timeout(Math.max(1, withinMs)) }).catch((error: unknown) => {
    throw new IdentityUnavailable(`the sign-in service does not answer to ${pathname}`, { cause: error });
  });
  if (answer.status < 500 && answer.status !== 429) return answer;
  throw new IdentityUnavailable(`the sign-in service answered ${answer.status} to ${pathname}`);
}
