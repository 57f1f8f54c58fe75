import { beforeEach, describe, expect, test } from "vitest";
import type { Db, Trx } from "db/schema";
import { writeLetter } from "~/mail/letters.server";
import type { Mail } from "~/mail/mail";
import { createPurchases } from "~/billing/purchase.server";
import { createExpiryNotices } from "~/billing/expiry-notice.server";
import { grantPlan, takePlanBack } from "~/billing/granted-plan.server";
import type { PlanKey } from "~/billing/plans/plans";
import { payment, subscription } from "../../support/billing/bought";
import { freshDatabase } from "../../support/database/database";
import { addUsers } from "../../support/database/finished-runs";

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

const notices = (post: (trx: Trx, mail: Mail) => Promise<void>) =>
  createExpiryNotices({ db, mails: { post }, write: writeLetter, baseUrl: "https://rampe.example" });
const announce = (at: number) => notices(async (_trx, mail) => void posted.push(mail)).announce(at);
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

describe("a plan that is granted without payment", () => {
  const grant = (until: number, plan: PlanKey = "pro") => db.transaction().execute((trx) => grantPlan(trx, "ada", { plan, until }, PAID_AT));

  test("is announced once, three days before its end, in a mail that is right beside a bought plan", async () => {
    await bought();
    await grant(END);
    await announce(END - 3 * DAY_MS - 1);
    expect(posted).toEqual([]);
    await Promise.all([announce(END - 3 * DAY_MS), announce(END - 3 * DAY_MS)]);
    await announce(END - DAY_MS);
    expect(posted).toHaveLength(1);
    expect(posted[0]?.subject).toBe("Ihr kostenloser Tarif Rampe Pro gilt noch bis zum 1. Dezember 2026");
    expect(posted[0]?.text).toContain("Haben Sie außerdem einen Tarif gekauft, ändert sich an ihm nichts.");
    expect(posted[0]?.text).toContain("https://rampe.example/setup");
    expect(posted[0]?.text).not.toMatch(/\{\{|Einmalzahlung|30 Tage/);
  });

  test("is announced again when it has got another end, but not when only the plan changed", async () => {
    await grant(END);
    await announce(END - DAY_MS);
    await grant(END, "enterprise");
    await announce(END - DAY_MS);
    expect(posted).toHaveLength(1);
    await grant(END + 30 * DAY_MS);
    await announce(END - DAY_MS);
    expect(posted).toHaveLength(1);
    await announce(END + 29 * DAY_MS);
    expect(posted.map(({ subject }) => subject.replace(/.* zum /, ""))).toEqual(["1. Dezember 2026", "31. Dezember 2026"]);
  });

  test("is not announced with an old end if it is prolonged while the mails are being sent", async () => {
    await grant(END);
    await addUsers(db, "bea");
    await db.transaction().execute((trx) => grantPlan(trx, "bea", { plan: "pro", until: END }, PAID_AT));
    const post = async (trx: Trx, mail: Mail) => {
      posted.push(mail);
      for (const id of ["ada", "bea"]) await grantPlan(trx, id, { plan: "pro", until: END + 30 * DAY_MS }, PAID_AT);
    };
    await notices(post).announce(END - DAY_MS);
    expect(posted).toHaveLength(1);
  });

  test("that was taken back is not announced", async () => {
    await grant(END);
    await db.transaction().execute((trx) => takePlanBack(trx, "ada", END - 2 * DAY_MS));
    await announce(END - DAY_MS);
    expect(posted).toEqual([]);
  });
});
