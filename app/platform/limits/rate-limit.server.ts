import { DAY_SECONDS, HOUR_SECONDS } from "~/platform/durations";
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from "rate-limiter-flexible";

/** Longest block, which ends on the same day. */
const LONGEST_SECONDS = 4 * HOUR_SECONDS;

/** `limit`: number of allowed attempts; `retryAt`: Unix time in ms. */
export type Refused = { granted: false; limit: number; retryAt: number };
export type Attempt = { granted: true } | Refused;

export interface RateLimitOptions {
  /** Name of the limit, unique in the installation. */
  name: string;
  /** Maximum attempts within `seconds`. */
  points: number;
  seconds: number;
  /** True if each further block within a day is twice as long, up to four hours. */
  grows?: boolean;
}

/** Place of the counters. */
export interface Counting {
  counter(name: string, options: { points: number; duration: number }): RateLimiterAbstract;
  /** @returns the stored form of a key */
  keyOf(key: string): string;
}

/** Counters in the memory of this process. */
export const IN_MEMORY: Counting = {
  counter: (_name, options) => new RateLimiterMemory(options),
  keyOf: (key) => key,
};

export type RateLimit = ReturnType<typeof createRateLimit>;

/** Rate limit by key. */
export function createRateLimit({ name, points, seconds, grows = false }: RateLimitOptions, { counter, keyOf }: Counting = IN_MEMORY) {
  const limiter = counter(name, { points, duration: seconds });
  const strikes = counter(`${name} strikes`, { points: Number.MAX_SAFE_INTEGER, duration: DAY_SECONDS });

  return {
    async take(text: string): Promise<Attempt> {
      const key = keyOf(text);
      try {
        await limiter.consume(key);
        return { granted: true };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const isFirst = refusal.consumedPoints === points + 1;
        return { granted: false, limit: points, retryAt: Date.now() + (grows && isFirst ? await lengthen(key) : refusal.msBeforeNext) };
      }
    },
    /** Removes an attempt from the count; an active block continues. */
    async reward(text: string): Promise<void> {
      const key = keyOf(text);
      const present = await limiter.get(key);
      if (present && present.consumedPoints <= points) await limiter.reward(key);
    },
    forget: async (text: string) => void (await limiter.delete(keyOf(text))),
  };

  /** @returns duration of the block (ms) */
  async function lengthen(key: string): Promise<number> {
    const { consumedPoints } = await strikes.consume(key);
    const stopped = Math.min(seconds * 2 ** (consumedPoints - 1), LONGEST_SECONDS);
    await limiter.block(key, stopped);
    return stopped * 1_000;
  }
}

/** Seconds for the header `Retry-After`. */
export const secondsUntil = (retryAt: number): number => Math.max(1, Math.ceil((retryAt - Date.now()) / 1_000));
