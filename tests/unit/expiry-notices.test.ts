import { beforeEach, expect, test } from "vitest";
import type { Db } from "db/schema";
import { writeLetter } from "~/mail/letters.server";
import type { Mail } from "~/mail/mail";
import { createPurchases } from "~/billing/purchase.server";
import { createExpiryNotices } from "~/billing/expiry-notice.server";
import { payment, subscription } from "../support/bought";
import { freshDatabase } from "../support/database";
import { addUsers } from "../support/finished-runs";

const DAY_MS = 86_400_000;
const PAID_AT = Date.UTC(2026, 10, 1, 12);
const END = PAID_AT + 30 * DAY_MS;

let db: Db;
let posted: Mail[];

beforeEach(async () => {
  db = await freshDatabase();
  posted = [];
  await addUsers(db, "ada");
  await db.updateTable("user").set({ locale: "de" }).execute();
});

const announce = (at: number) =>
  createExpiryNotices({ db, mails: { post: async (_trx, mail) => void posted.push(mail) }, write: writeLetter, baseUrl: "https://rampe.example" }).announce(at);
const bought = (...payments: ReturnType<typeof payment>[]) =>
  createPurchases({ db }).store("ada", { subscriptions: [subscription()], payments }, PAID_AT);

test("three days before a one-time payment ends, its owner is informed once what stays and how to continue", async () => {
  await bought(payment({ paidAt: PAID_AT }));
  await announce(END - 3 * DAY_MS - 1);
  expect(posted).toEqual([]);
  await Promise.all([announce(END - 3 * DAY_MS), announce(END - 3 * DAY_MS)]);
  await announce(END - DAY_MS);
  expect(posted).toHaveLength(1);
  expect(posted[0]?.subject).toContain("1. Dezember 2026");
  expect(posted[0]?.text).toContain("bleiben Ihre Berichte");
  expect(posted[0]?.text).toContain("https://rampe.example/setup");
});

test.each([
  ["given back", payment({ paidAt: PAID_AT, refunded: "fully" })],
  ["not paid yet", payment({ status: "pending", paidAt: null })],
])("no mail is sent about the end of a purchase that is %s, or that has ended", async (_what, state) => {
  await bought(state, payment({ id: "pi_old", paidAt: PAID_AT - 5 * DAY_MS }));
  await announce(END - DAY_MS);
  expect(posted).toEqual([]);
});
