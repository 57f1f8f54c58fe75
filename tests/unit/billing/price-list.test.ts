import { expect, test } from "vitest";
import type { PlanPrice } from "~/billing/provider";
import { MARKETED_PRICES } from "~/billing/plans/plans";
import { offersOf } from "~/billing/plans/offers";
import { createPriceList } from "~/billing/plans/price-list";

const price: PlanPrice = { id: "price_1", plan: "basic", rhythm: "month", urlLimit: 1, amounts: { eur: 1_700, usd: 1_900 } };
const MINUTE_MS = 60_000;

/** Price list with a clock; the provider answers with `answers`. */
function listOf(answers: (() => Promise<PlanPrice[]>)[]) {
  const world = { now: 0, asked: 0 };
  const read = () => (answers[world.asked++] ?? (() => Promise.reject(new Error("not to be asked"))))();
  return { world, ...createPriceList({ read, patienceMs: 5, now: () => world.now }) };
}
const tells = () => Promise.resolve([price]);
const fails = () => Promise.reject(new Error("down"));
const hangs = () => new Promise<PlanPrice[]>(() => {});

test("the provider is requested once in five minutes, for any number of visitors", async () => {
  const { world, current, shown } = listOf([tells, tells]);
  expect(await Promise.all([current(), shown(), current()])).toEqual([[price], [price], [price]]);
  world.now = 4 * MINUTE_MS;
  await shown();
  expect(world.asked).toBe(1);
  world.now = 6 * MINUTE_MS;
  await current();
  expect(world.asked).toBe(2);
});

test("with the provider down, pages show the last known prices, and buyers are informed", async () => {
  const { world, current, shown } = listOf([tells, fails, fails]);
  await shown();
  world.now = 6 * MINUTE_MS;
  expect(await shown()).toEqual([price]);
  await expect(current()).rejects.toThrow("down");
  expect(await shown()).toEqual([price]);
});

test("a provider that hangs does not delay a page", async () => {
  const { shown } = listOf([hangs]);
  expect(await shown()).toBeNull();
});

test("without any known prices, none are shown, and the provider gets a pause", async () => {
  const { world, shown } = listOf([fails, tells]);
  expect([await shown(), await shown(), world.asked]).toEqual([null, null, 1]);
  world.now = MINUTE_MS;
  expect(await shown()).toEqual([price]);
});

test("the advertised prices are shown instead, in euros for German and dollars for English", () => {
  const [basic, pro] = offersOf(MARKETED_PRICES, "de");
  expect([basic?.urlLimit, pro?.urlLimit]).toEqual([1, 5]);
  expect(basic?.ways.map((way) => way.price)).toEqual(["15\u00A0€", "20\u00A0€"]);
  expect(offersOf(MARKETED_PRICES, "en")[1]?.ways.map((way) => way.price)).toEqual(["$40", "$50"]);
  expect(offersOf(MARKETED_PRICES, "en", "eur")[1]?.ways.map((way) => way.price)).toEqual(["€40", "€50"]);
  const inEuroAlone = MARKETED_PRICES.map((price) => ({ ...price, amounts: { eur: 1_500 } }));
  expect(offersOf(inEuroAlone, "en")[0]?.ways[0]?.price).toBe("€15");
});
