import type Stripe from "stripe";

/**
 * The end of a period that begins at a time, both in Unix seconds. A month that is too short ends on its last day.
 * @throws {Error} for a price that is paid once
 */
export function addInterval(start: number, { id, recurring }: Stripe.Price): number {
  if (!recurring) throw new Error(`${id} has no interval`);
  const { interval, interval_count: count } = recurring;
  if (interval === "day" || interval === "week") return start + count * (interval === "day" ? 1 : 7) * 86_400;
  const date = new Date(start * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count * (interval === "year" ? 12 : 1));
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return Math.floor(date.getTime() / 1000);
}
