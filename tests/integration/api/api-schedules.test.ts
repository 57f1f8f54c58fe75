import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createPurchases } from "~/billing/purchase.server";
import { openApiContract } from "../../contracts/api-contract";
import { newMember, newToken, type Member } from "../../support/accounts/accounts";
import { openPrograms, type Json } from "../../support/browser/api-program";
import { ENDED, subscribe, subscription } from "../../support/billing/bought";
import { openDemoSite } from "../../support/scan/demo-site";
import type { FormBrowser } from "../../support/browser/form-browser";
import { startServer, type TestServer } from "../../support/servers/server";
import type { Site } from "../../support/scan/site";

const RUNS = "/api/v1/runs";
const SCHEDULES = "/api/v1/schedules";
const ALL_SCOPES = { "runs:read": "yes", "runs:write": "yes" };

let server: TestServer;
let site: Site;
const contractViolations: string[] = [];
const program = openPrograms(() => server.origin, openApiContract(), contractViolations);

beforeAll(async () => {
  site = await openDemoSite();
  server = await startServer({
    env: { TRUST_PROXY: "1", SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port},localhost:${site.port}` },
  });
});

afterAll(async () => {
  await server.stop();
  await site.close();
});

/** Contract violations of all answers in a test. */
afterEach(() => expect(contractViolations.splice(0)).toEqual([]));

/** @param websites number of websites in the plan; 0 without a purchase */
async function member({ websites = 2 } = {}): Promise<Member> {
  const buyer = await newMember(server);
  if (websites > 0) await subscribe(await server.database(), buyer, { urlLimit: websites });
  return buyer;
}

const tokenOf = (browser: FormBrowser, scopes: Record<string, string> = ALL_SCOPES) => newToken(browser, scopes);

/** Problem without the parts that differ between requests. */
const problemOf = ({ status, json }: { status: number; json: Json }) => [status, json?.type];

test("a schedule is set, changed and ended by a program; sent twice, it stays one", async () => {
  const [browser, stranger] = [await member(), await member()];
  const [ask, other] = [program(await tokenOf(browser)), program(await tokenOf(stranger))];
  const url = site.url("/clean");
  expect(problemOf(await ask("POST", SCHEDULES, { url, every: "day", hour: 3 }))).toEqual([402, "/api#nothing-bought"]);
  await ask("POST", RUNS, { url });
  expect((await ask("POST", SCHEDULES, { url, every: "hour", hour: 24, mails: "no" })).json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["#/every", "#/hour", "#/mails"]);
  expect(problemOf(await ask("POST", SCHEDULES, { url, every: "day", level: "AAA" }))).toEqual([403, "/api#level-not-included"]);

  const created = await ask("POST", SCHEDULES, { url, every: "day", hour: 3 });
  expect([created.status, created.json]).toMatchObject([201, { url, scope: "page", every: "day", hour: 3, mails: true, paused: null }]);
  const changed = await ask("POST", SCHEDULES, { url, every: "month", mails: false });
  expect([changed.status, changed.json]).toMatchObject([200, { id: created.json.id, every: "month", hour: null, mails: false }]);
  // A person may have turned off the mails meanwhile.
  expect((await ask("POST", SCHEDULES, { url, every: "month" })).json.mails).toBe(false);
  const access = { kind: "basic", user: "guest", password: "open sesame" };
  expect((await ask("POST", SCHEDULES, { url, every: "month", access: { kind: "basic" } })).json.errors).toMatchObject([{ pointer: "#/access/user" }, { pointer: "#/access/password" }]);
  expect((await ask("POST", SCHEDULES, { url, every: "month", access: { ...access, user: "guest:1" } })).json.errors).toMatchObject([{ pointer: "#/access/user", detail: "Benutzernamen mit Doppelpunkt kann die HTTP-Anmeldung nicht übertragen." }]);
  for (const [wish, hasAccess] of [[{ access }, true], [{}, true], [{ access: null }, false]] as const) {
    const { json } = await ask("POST", SCHEDULES, { url, every: "month", mails: false, ...wish });
    expect(json.hasAccess).toBe(hasAccess);
    expect(JSON.stringify(json)).not.toMatch(/guest|sesame/);
  }
  expect((await ask("GET", SCHEDULES)).json.schedules).toEqual([changed.json]);
  expect((await other("GET", SCHEDULES)).json.schedules).toEqual([]);
  expect((await other("DELETE", `${SCHEDULES}/${created.json.id}`)).status).toBe(404);
  expect((await program(await tokenOf(browser, { "runs:read": "yes" }))("DELETE", `${SCHEDULES}/${created.json.id}`)).status).toBe(403);
  expect((await ask("DELETE", `${SCHEDULES}/${created.json.id}`)).status).toBe(204);
  expect((await ask("GET", SCHEDULES)).json.schedules).toEqual([]);
});

test("a program may not repeat scans of a level that the plan lacks, but can delete stored access", async () => {
  const browser = await member({ websites: 0 });
  const db = await server.database();
  const url = site.url("/clean");
  const other = subscription({ id: `sub_b_${browser.id}`, plan: "enterprise", urlLimit: 1, urls: ["https://other.example/"] });
  const have = (plan: "basic" | "enterprise") =>
    createPurchases({ db }).store(browser.id, { subscriptions: [subscription({ id: `sub_a_${browser.id}`, plan, urls: [url] }), other], payments: [] });
  await have("enterprise");
  const ask = program(await tokenOf(browser));
  const aaa = { url, every: "day", hour: 3, level: "AAA" };
  expect((await ask("POST", SCHEDULES, { ...aaa, access: { kind: "cookie", cookie: "a=1" } })).status).toBe(201);
  await have("basic");
  for (const wish of [aaa, { ...aaa, every: "week", access: null }]) expect(problemOf(await ask("POST", SCHEDULES, wish))).toEqual([403, "/api#level-not-included"]);
  const deleted = await ask("POST", SCHEDULES, { ...aaa, access: null });
  expect([deleted.status, deleted.json]).toMatchObject([200, { level: "AAA", hasAccess: false, paused: "level" }]);
});

test("stored access is deleted by a program after the plan has ended, which changes nothing else", async () => {
  const browser = await member();
  const [ask, db] = [program(await tokenOf(browser)), await server.database()];
  const [SCHEDULES, url] = ["/api/v1/schedules", site.url("/clean")];
  await ask("POST", RUNS, { url });
  const access = { kind: "cookie", cookie: "a=1" };
  const { json: created } = await ask("POST", SCHEDULES, { url, every: "day", hour: 3, access });
  expect(created).toMatchObject({ hasAccess: true, paused: null });

  await subscribe(db, browser, { urls: [url], ...ENDED });
  expect((await ask("GET", SCHEDULES)).json.schedules).toEqual([{ ...created, paused: "not_covered" }]);
  for (const wish of [{}, { access }]) expect(problemOf(await ask("POST", SCHEDULES, { url, every: "day", ...wish }))).toEqual([403, "/api#not-entitled"]);
  expect(problemOf(await ask("POST", SCHEDULES, { url, scope: "site", every: "day", access: null }))).toEqual([403, "/api#not-entitled"]);
  for (const other of [{ every: "week" }, { hour: 4 }, { mails: false }, { level: "A" }, { waitMs: 100 }]) {
    expect([other, ...problemOf(await ask("POST", SCHEDULES, { url, every: "day", access: null, ...other }))]).toEqual([other, 403, "/api#not-entitled"]);
  }
  expect((await ask("GET", SCHEDULES)).json.schedules).toMatchObject([{ hasAccess: true }]);
  const deleted = await ask("POST", SCHEDULES, { url, every: "day", hour: 3, mails: true, level: "AA", access: null });
  expect([deleted.status, deleted.json]).toEqual([200, { ...created, hasAccess: false, paused: "not_covered" }]);

  await db.deleteFrom("purchase").where("user_id", "=", browser.id).execute();
  expect((await ask("POST", SCHEDULES, { url, every: "day", access: null })).status).toBe(200);
  expect((await ask("DELETE", `${SCHEDULES}/${created.id}`)).status).toBe(204);
});
