import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

const HOUR_SECONDS = 3_600;
export const REQUESTS_PER_HOUR = 600;
export const STARTS_PER_HOUR = 60;

export interface ApiLimitsOptions {
  /** Per token and hour. */
  requests?: number;
  /** Of those, requests that start a scan. */
  starts?: number;
}

/** `retrySeconds`: seconds until the next request is granted. */
type Turn = { granted: true } | { granted: false; limit: number; retrySeconds: number };

/** Rate limits per API token, kept in memory only. */
export interface ApiLimits {
  request(tokenId: string): Promise<Turn>;
  start(tokenId: string): Promise<Turn>;
}

export function createApiLimits({ requests = REQUESTS_PER_HOUR, starts = STARTS_PER_HOUR }: ApiLimitsOptions = {}): ApiLimits {
  const all = new RateLimiterMemory({ points: requests, duration: HOUR_SECONDS });
  const orders = new RateLimiterMemory({ points: starts, duration: HOUR_SECONDS });
  return {
    request: (tokenId) => take(all, tokenId),
    start: (tokenId) => take(orders, tokenId),
  };
}

async function take(limiter: RateLimiterMemory, key: string): Promise<Turn> {
  try {
    await limiter.consume(key);
    return { granted: true };
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return { granted: false, limit: limiter.points, retrySeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)) };
  }
}
