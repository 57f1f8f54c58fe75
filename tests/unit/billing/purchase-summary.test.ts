import { expect, test } from "vitest";
import { purchaseSummary, standingOf } from "~/billing/purchase-summary";

const NOW = Date.UTC(2026, 10, 1);
let count = 0;

function bought(more: Partial<Parameters<typeof purchaseSummary>[0][number]> = {}) {
  return {
    id: `bought-${(count += 1)}`,
    kind: "subscription" as const,
    status: "active",
    entitles: true,
    paidFor: true,
    endsAt: null,
    planName: "Rampe Pro",
    urlLimit: 5,
    amount: 4_000,
    currency: "eur",
    createdAt: NOW,
    periodEnd: NOW,
    cancelAtPeriodEnd: false,
    byInvoice: false,
    urls: [],
    ...more,
  };
}

const once = { kind: "payment" as const, planName: "Rampe Basic", amount: 2_000, urlLimit: 1 };
const words = (text: string | null) => text?.replaceAll(/\s/g, " ");

test.each([
  ["nothing is sold", [], { open: true, trial: { used: 0, limit: 0 } }, "open"],
  ["a plan is in use", [bought()], { open: false, trial: { used: 0, limit: 2 } }, "active"],
  ["trial scans are left", [], { open: false, trial: { used: 1, limit: 2 } }, "trial"],
  ["a plan is over, and trial scans are left", [bought({ entitles: false })], { open: false, trial: { used: 1, limit: 2 } }, "trial"],
  ["a plan is over", [bought({ entitles: false })], { open: false, trial: { used: 2, limit: 2 } }, "ended"],
  ["trial scans are used up", [], { open: false, trial: { used: 2, limit: 2 } }, "trialUsed"],
  ["nothing is bought or given away", [], { open: false, trial: { used: 0, limit: 0 } }, "none"],
] as const)("the standing if %s", (_case, mine, entitlement, standing) => {
  expect(standingOf([...mine], entitlement)).toBe(standing);
});

test("the total is the cost of all purchases with access, each listed beside it", () => {
  const { perMonth, paidOnce, total, plans } = purchaseSummary([bought(), bought(once), bought({ entitles: false })], "en");
  expect([perMonth, paidOnce, total].map(words)).toEqual(["€40", "€20", "€60"]);
  expect(plans).toBe("Rampe Pro and Rampe Basic");
});

test("sums of two currencies are listed separately", () => {
  expect(words(purchaseSummary([bought(), bought({ ...once, currency: "usd" })], "de").total)).toBe("40 € und 20 $");
});

test("without a purchase with access, there is no total and no website", () => {
  const urls = [{ id: 1, origin: "https://a.example", covered: true }];
  const { total, websites } = purchaseSummary([bought({ entitles: false, urls })], "de");
  expect([total, websites]).toEqual([null, []]);
});

test("the websites of all purchases with access are named, also those not covered", () => {
  const [a, b] = [
    { id: 1, origin: "https://a.example", covered: true },
    { id: 2, origin: "https://b.example", covered: false },
  ];
  expect(purchaseSummary([bought({ urls: [a] }), bought({ ...once, urls: [b] })], "de").websites).toEqual([a, b]);
});

test("a granted plan costs nothing, and is no part of the sums", () => {
  const summary = purchaseSummary([bought({ granted: true, amount: 0 })], "de");
  expect([summary.perMonth, summary.total, summary.plans]).toEqual([null, null, "Rampe Pro"]);
  expect(summary.purchases).toMatchObject([{ granted: true }]);
});
