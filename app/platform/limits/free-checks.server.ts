import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { clientNetwork } from "./client-network.server";

const HOUR_SECONDS = 3_600;

type Allowance = { granted: true } | { granted: false; limit: number; /** Unix time in ms. */ retryAt: number };

export interface FreeChecks {
  /** Counts one check for this address, if its hourly limit allows it. */
  take(address: string): Promise<Allowance>;
}

/** Rate limit of the free check; addresses are kept in memory only, for an hour at most. */
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
