import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newMember, signedIn, type Member } from "../../support/accounts/accounts";
import { minutes } from "../../support/patience";
import { startServer, type TestServer } from "../../support/servers/server";
import { lockDatabase } from "../../support/database/server-database";
import { openSite } from "../../support/scan/site";

const READS_WITHIN_MS = 4_000;
/** Time limit for a stop: supervisors such as Docker kill after 10 s. */
const STOPS_WITHIN_MS = 9_500;

const PAGE = "<!doctype html><html lang=en><title>Home</title><main><h1>Home</h1><img src=/a.png></main>";
const env = { BILLING: "off", SCAN_ALLOW_PRIVATE: "127.0.0.1" };
const dataDir = mkdtempSync(path.join(tmpdir(), "rampe-lock-"));

let server: TestServer;
let browser: Member;
let site: Awaited<ReturnType<typeof openSite>>;

beforeAll(async () => {
  site = await openSite({ "/": PAGE, "/slow": (_, response) => void setTimeout(() => response.setHeader("Content-Type", "text/html").end(PAGE), 6_000) });
  server = await startServer({ dataDir, env });
  browser = await newMember(server, { language: "en" });
});

afterAll(async () => {
  await server.stop();
  await site.close();
  rmSync(dataDir, { recursive: true });
});

/** Locks the database like a `VACUUM` or a shell. @param ms duration; by default that of the task */
async function locked<Result>(task: () => Promise<Result>, ms?: number): Promise<Result> {
  const unlock = await lockDatabase(server);
  const done = task();
  await (ms === undefined ? done.catch(() => {}) : delay(ms));
  await unlock();
  return done;
}

test("during a lock of 8 s by another program pages can be read, forms are stored afterwards, and a running scan completes", async () => {
  const started = await browser.post("/runs/new", { url: site.origin, scope: "page", level: "AA" });
  expect(started.status).toBe(303);
  const run = started.location ?? "";
  const longest = await locked(async () => {
    const rename = browser.post("/profile/name", { name: "Ada Lovelace" });
    let longestRead = 0;
    for (const end = Date.now() + 7_000; Date.now() < end; await delay(200)) {
      for (const page of ["/", "/runs", "/profile/general", run]) {
        const begin = Date.now();
        expect((await browser.get(page)).status, page).toBe(200);
        longestRead = Math.max(longestRead, Date.now() - begin);
      }
    }
    expect((await rename).status).toBe(303);
    return longestRead;
  }, 8_000);
  expect(longest).toBeLessThan(READS_WITHIN_MS);
  expect((await browser.get("/profile/general")).text).toContain("Ada Lovelace");
  await expect.poll(async () => (await browser.get(run)).text, { timeout: minutes(1.5) }).toContain("report-head");
});

test("during a longer lock a form is answered with 503, a time to retry, and the typed values", async () => {
  await locked(async () => {
    const [answer, password] = await Promise.all([
      browser.post("/profile/name?next=1", { name: 'Grace "Amazing" <Hopper>' }),
      browser.post("/account/password", { currentPassword: browser.person.password, newPassword: "ein ganz neues Passwort" }),
    ]);
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.text).toContain("Nothing can be saved right now");
    expect(answer.text).toContain('name="name" value="Grace &quot;Amazing&quot; &lt;Hopper&gt;"');
    expect(answer.text).toContain('action="/profile/name?next=1"');
    expect(password.status).toBe(503);
    expect(password.text).not.toContain("ein ganz neues Passwort");
    const program = await fetch(`${server.origin}/api/v1/runs`, { method: "POST", headers: { Authorization: "Bearer none" } });
    expect(program.status, "what needs no writing is answered").toBe(401);
  });
  expect((await browser.post("/profile/name", { name: "Grace Hopper" })).status).toBe(303);
  expect((await browser.get("/profile/general")).text).toContain("Grace Hopper");
});

test("a server that is stopped during a lock stops in time, and the next one finishes the scan", async () => {
  const run = (await browser.post("/runs/new", { url: site.url("/slow"), scope: "page", level: "AA" })).location ?? "";
  const db = await server.database();
  const newest = () => db.selectFrom("run").select("status").orderBy("created_at", "desc").executeTakeFirst();
  await expect.poll(newest, { timeout: 15_000 }).toMatchObject({ status: "running" });
  const unlock = await lockDatabase(server);
  const { code, ms } = await server.stop();
  await unlock();
  expect(code).toBe(0);
  expect(ms).toBeLessThan(STOPS_WITHIN_MS);

  server = await startServer({ dataDir, env });
  const next = await signedIn(server, browser.person, { language: "en" });
  await expect.poll(async () => (await next.get(run)).text, { timeout: minutes(1.5) }).toContain("report-head");
});
