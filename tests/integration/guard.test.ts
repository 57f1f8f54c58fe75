import path from "node:path";
import { openSqlite } from "db/sqlite.server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFormBrowser } from "../support/form-browser";
import { startServer, type TestServer } from "../support/server";

const PASSWORD = "korrekt pferd batterie klammer";
const GUARDED = ["/runs", "/profile/general", "/profile/name", "/profile/email", "/profile/tokens/new"];
const OWN = ["/setup", "/profile/tokens", "/account/verify", "/account/password", "/account/sessions", "/account/delete", "/account/export"];

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

/** As if somebody had bought something that gives access, or gives none any more. */
async function buy(email: string, grants: 0 | 1): Promise<void> {
  const db = openSqlite(path.join(server.dataDir, "rampe.db"));
  const { id } = await db.selectFrom("user").select("id").where("email", "=", email).executeTakeFirstOrThrow();
  const facts = { plan_name: "Basic", url_limit: 1, amount: 1_500, currency: "eur", created_at: 0, period_start: 0, period_end: 1 };
  await db
    .insertInto("purchase")
    .values({ id: `sub_${grants}`, user_id: id, kind: "subscription", status: "any", grants, refunded: null, ...facts })
    .execute();
  await db.destroy();
}

test.each([...GUARDED, ...OWN])("who is not signed in is asked to, and led back to %s", async (page) => {
  const answer = await openFormBrowser(server.origin).get(`${page}?a=b`);
  expect([answer.status, answer.location]).toEqual([303, `/login?returnTo=${encodeURIComponent(`${page}?a=b`)}`]);
});

test("without a subscription or a payment, scans and profile lead to the plans; the account is open", async () => {
  const browser = await member("ada@example.org");
  for (const page of GUARDED) {
    const answer = await browser.get(page);
    expect([answer.status, answer.location], page).toEqual([303, "/setup"]);
  }
  await server.logged(({ msg }) => msg === "Redirecting to setup");
  for (const page of OWN) expect((await browser.get(page)).status, page).toBe(200);
  expect((await browser.post("/profile/tokens", { revoke: "none" })).location).toBe("/profile/tokens");

  await buy("ada@example.org", 0);
  expect((await browser.get("/runs")).location).toBe("/setup");
  await buy("ada@example.org", 1);
  for (const page of GUARDED) expect((await browser.get(page)).status, page).toBe(200);
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
