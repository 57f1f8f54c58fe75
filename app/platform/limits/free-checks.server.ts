import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { clientNetwork } from "./client-network.server";

const HOUR_SECONDS = 3_600;

export type Allowance = { granted: true } | { granted: false; limit: number; /** Unix time in ms. */ retryAt: number };

export interface FreeChecks {
  /** Counts one check for this address, if its hour has room for it. */
  take(address: string): Promise<Allowance>;
}

/** The free check's rate limit; addresses are kept in memory alone, for an hour at most. */
export function createFreeChecks({ perHour }: { perHour: number }): FreeChecks {
  const limiter = new RateLimiterMemory({ points: perHour, duration: HOUR_SECONDS });
  return {
    async take(address) {
      try {
        await limiter.consume(clientNetwork(address));
        return { granted: true };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return { granted: false, limit: perHour, retryAt: Date.now() + refusal.msBeforeNext };
      }
    },
  };
}
