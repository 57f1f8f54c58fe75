import { afterAll, beforeAll, expect, test } from "vitest";
import { newMember, visitorOf } from "../../support/accounts/accounts";
import { ENDED, subscribe, UNPAID } from "../../support/billing/bought";
import { startServer, type TestServer } from "../../support/servers/server";

const COSTS = ["/runs/new", "/profile/urls", "/profile/tokens/new"];
const PAID_FOR = ["/runs", "/websites"];
const GUARDED = [...COSTS, ...PAID_FOR];
const OWN = ["/setup", "/profile/general", "/profile/name", "/profile/email", "/profile/tokens", "/runs/schedules", "/account/verify", "/account/password", "/account/second-factor", "/account/sessions", "/account/delete", "/account/export"];

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

test.each([...GUARDED, ...OWN])("a guest is asked to sign in, and returns to %s", async (page) => {
  const answer = await visitorOf(server).get(`${page}?a=b`);
  expect([answer.status, answer.location]).toEqual([303, `/login?returnTo=${encodeURIComponent(`${page}?a=b`)}`]);
});

test("without a purchase, scans lead to the plans; profile and account are open", async () => {
  const [browser, db] = [await newMember(server), await server.database()];
  for (const page of GUARDED) {
    const answer = await browser.get(page);
    expect([answer.status, answer.location], page).toEqual([303, "/setup"]);
  }
  await server.logged(({ msg }) => msg === "Redirecting to setup");
  for (const page of OWN) expect((await browser.get(page)).status, page).toBe(200);
  expect((await browser.post("/profile/tokens", { revoke: "none" })).location).toBe("/profile/tokens");

  await subscribe(db, browser, UNPAID);
  expect((await browser.get("/runs")).location).toBe("/setup");
  await subscribe(db, browser);
  for (const page of GUARDED) expect((await browser.get(page)).status, page).toBe(200);
});

test("after the end of a plan, paid results stay open, and paid actions lead to the plans, which explain it", async () => {
  const browser = await newMember(server);
  await subscribe(await server.database(), browser, ENDED);
  for (const page of [...PAID_FOR, ...OWN]) expect((await browser.get(page)).status, page).toBe(200);
  for (const page of COSTS) expect((await browser.get(page)).location, page).toBe("/setup");
  expect((await browser.post("/runs/new", { url: "https://a.example/", scope: "page", level: "AA" })).location).toBe("/setup");
  expect((await browser.get("/setup")).text).toContain("Ihr Tarif ist abgelaufen");
});

test("a mistyped address can be changed without a purchase", async () => {
  const browser = await newMember(server);
  const answer = await browser.post("/profile/email", { email: "mistyped@example.org", currentPassword: browser.person.password });
  expect([answer.status, answer.location]).toEqual([303, "/profile/email?sent"]);
});

test("pages of a signed-in user are not cached", async () => {
  const browser = await newMember(server);
  expect((await browser.get("/setup")).headers.get("cache-control")).toBe("private, no-store");
  expect((await visitorOf(server).get("/")).headers.get("cache-control")).toBe("private, no-cache");
});

test("mails are in the language that was chosen last", async () => {
  const browser = await newMember(server);
  await browser.post("/locale", { locale: "en", returnTo: "/setup" });
  expect(JSON.parse((await browser.get("/account/export")).text)).toMatchObject({ user: { locale: "en" } });
});
