import { withinOr } from "~/platform/async/deadline";

const FRESH_MS = 300_000;
/** Back-off: after a failure, pages that only show prices do not ask the provider for a while. */
const PAUSE_MS = 30_000;

export interface PriceListOptions<Price> {
  read: () => Promise<Price[]>;
  /** Maximum wait of a page for unknown prices. */
  patienceMs?: number;
  now?: () => number;
}

export interface PriceList<Price> {
  /**
   * Current prices, for a purchase.
   * @throws {ProviderUnavailable}
   */
  current(): Promise<Price[]>;
  /** Last known prices, for pages that must not wait for the provider; null if none are known in time. */
  shown(): Promise<Price[] | null>;
}

/** Cached prices of the provider, requested once in 5 minutes. */
export function createPriceList<Price>({ read, patienceMs = 1_500, now = Date.now }: PriceListOptions<Price>): PriceList<Price> {
  let known: { prices: Price[]; at: number } | null = null;
  let asking: Promise<Price[]> | null = null;
  let failedAt = -Infinity;

  return {
    async current() {
      return fresh() ?? ask();
    },

    async shown() {
      const prices = fresh();
      if (prices) return prices;
      const hasJustFailed = now() - failedAt < PAUSE_MS;
      const asked = hasJustFailed ? null : ask().catch(() => null);
      if (known || !asked) return known?.prices ?? null;
      const answer = await withinOr(patienceMs, asked, null);
      return answer && answer.length > 0 ? answer : null;
    },
  };

  function fresh(): Price[] | null {
    return known && now() - known.at < FRESH_MS ? known.prices : null;
  }

  function ask(): Promise<Price[]> {
    asking ??= read()
      .then(
        (prices) => {
          // If no prices are set up yet, the next request reads them again.
          if (prices.length > 0) known = { prices, at: now() };
          return prices;
        },
        (error: unknown) => {
          failedAt = now();
          throw error;
        },
      )
      .finally(() => (asking = null));
    return asking;
  }
}
