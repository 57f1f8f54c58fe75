import path from "node:path";
import { openSqlite } from "db/sqlite.server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFormBrowser } from "../support/form-browser";
import { startServer, type TestServer } from "../support/server";

const PASSWORD = "korrekt pferd batterie klammer";
const COSTS = ["/runs/new", "/profile/urls", "/profile/tokens/new"];
const PAID_FOR = ["/runs", "/runs/schedules"];
const GUARDED = [...COSTS, ...PAID_FOR];
const OWN = ["/setup", "/profile/general", "/profile/name", "/profile/email", "/profile/tokens", "/account/verify", "/account/password", "/account/sessions", "/account/delete", "/account/export"];

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

async function member(email: string) {
  const browser = openFormBrowser(server.origin, { "Accept-Language": "de" });
  await browser.post("/register", { name: "Ada", email, password: PASSWORD });
  await browser.post("/login", { email, password: PASSWORD });
  return browser;
}

/** As if somebody had bought something. */
async function buy(email: string, state: { grants: 0 | 1; ends_at?: number | null }): Promise<void> {
  const db = openSqlite(path.join(server.dataDir, "rampe.db"));
  const { id } = await db.selectFrom("user").select("id").where("email", "=", email).executeTakeFirstOrThrow();
  const facts = { plan_name: "Basic", url_limit: 1, amount: 1_500, currency: "eur", created_at: 0, period_start: 0, period_end: 1 };
  await db
    .insertInto("purchase")
    .values({ id: `sub_${email}`, user_id: id, kind: "subscription", status: "any", refunded: null, ...facts, ...state })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(state))
    .execute();
  await db.destroy();
}

test.each([...GUARDED, ...OWN])("who is not signed in is asked to, and led back to %s", async (page) => {
  const answer = await openFormBrowser(server.origin).get(`${page}?a=b`);
  expect([answer.status, answer.location]).toEqual([303, `/login?returnTo=${encodeURIComponent(`${page}?a=b`)}`]);
});

test("without a subscription or a payment, scans lead to the plans; profile and account are open", async () => {
  const browser = await member("ada@example.org");
  for (const page of GUARDED) {
    const answer = await browser.get(page);
    expect([answer.status, answer.location], page).toEqual([303, "/setup"]);
  }
  await server.logged(({ msg }) => msg === "Redirecting to setup");
  for (const page of OWN) expect((await browser.get(page)).status, page).toBe(200);
  expect((await browser.post("/profile/tokens", { revoke: "none" })).location).toBe("/profile/tokens");

  await buy("ada@example.org", { grants: 0 });
  expect((await browser.get("/runs")).location).toBe("/setup");
  await buy("ada@example.org", { grants: 1 });
  for (const page of GUARDED) expect((await browser.get(page)).status, page).toBe(200);
});

test("when a plan has ended, what was paid for stays open, and what costs leads to the plans, which say so", async () => {
  const browser = await member("mary@example.org");
  await buy("mary@example.org", { grants: 1, ends_at: Date.now() - 1_000 });
  for (const page of [...PAID_FOR, ...OWN]) expect((await browser.get(page)).status, page).toBe(200);
  for (const page of COSTS) expect((await browser.get(page)).location, page).toBe("/setup");
  expect((await browser.post("/runs/new", { url: "https://a.example/", scope: "page", level: "AA" })).location).toBe("/setup");
  expect((await browser.get("/setup")).text).toContain("Ihr Tarif ist abgelaufen");
});

test("who has mistyped their address at registration changes it without buying anything", async () => {
  const browser = await member("mistypde@example.org");
  const answer = await browser.post("/profile/email", { email: "mistyped@example.org", currentPassword: PASSWORD });
  expect([answer.status, answer.location]).toEqual([303, "/profile/email?sent"]);
});

test("pages of somebody who is signed in are kept by no cache", async () => {
  const browser = await member("grace@example.org");
  expect((await browser.get("/setup")).headers.get("cache-control")).toBe("private, no-store");
  expect((await openFormBrowser(server.origin).get("/")).headers.get("cache-control")).toBe("private, no-cache");
});

test("the language of the mails is the one that was chosen last", async () => {
  const browser = await member("hedy@example.org");
  await browser.post("/locale", { locale: "en", returnTo: "/setup" });
  expect(JSON.parse((await browser.get("/account/export")).text)).toMatchObject({ user: { locale: "en" } });
});
