import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { startSmtp } from "../../doubles/smtp";
import { newMember } from "../../support/accounts/accounts";
import { openFormBrowser } from "../../support/browser/form-browser";
import { LINKS, openProcesses, SECRET } from "../../support/servers/installation";
import { runAdmin } from "../../support/servers/run-admin";
import { headingOf, requestScan, scanned, WITHIN } from "../../support/browser/run-pages";
import type { TestServer } from "../../support/servers/server";
import { settingsOf } from "../../support/database/server-database";

async function freeCheck({ origin }: TestServer, url: string) {
  const browser = openFormBrowser(origin, { "Accept-Language": "en" });
  const asked = await browser.post("/?index", { url });
  return asked.location ? browser.get(asked.location) : asked;
}

test("a web server without a browser has pages checked by a worker, shows the result at once, and gets its PDF there", async () => {
  const { site, start } = await openProcesses();
  const web = await start("web");
  const healthOf = async ({ origin }: TestServer) => (await fetch(`${origin}/healthz`)).json();
  expect(await healthOf(web)).toEqual({ version: expect.any(String) as unknown, ok: true, database: "ok", workers: 0, disk: "ok" });
  expect((await runAdmin(["check"], { ...settingsOf(web), ROLE: "web", SESSION_SECRET: SECRET })).out).toMatch(/^browser +not set \(ROLE=web: no worker is running\)$/m);
  const worker = await start("worker");
  expect(await healthOf(web)).toMatchObject({ workers: 1 });
  expect(await healthOf(worker)).toMatchObject({ ok: true, scanner: "ok" });
  for (const path of ["/", "/login", "/runs"]) expect((await fetch(worker.origin + path)).status).toBe(404);
  const metrics = await fetch(`${worker.origin}/metrics`, { headers: { Authorization: "Bearer a token for the metrics" } });
  expect(await metrics.text()).toMatch(/^rampe_healthy\{part="scanner"\} 1\n[^]*^rampe_workers 1$/m);

  const result = await freeCheck(web, site.url("/page-1"));
  expect(result.status).toBe(200);
  expect(headingOf(result.text)).toContain("127.0.0.1");
  expect(result.text).toContain('class="violation');

  const member = await newMember(web);
  const report = await scanned(member, { url: site.url("/page-2") });
  const pdf = await fetch(`${web.origin}${report}/export.pdf`, { headers: { Cookie: member.cookie } });
  expect([pdf.status, pdf.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  expect(Buffer.from(await pdf.arrayBuffer()).subarray(0, 5).toString()).toBe("%PDF-");
  expect(await (await web.database()).selectFrom("print").selectAll().execute()).toEqual([]);
});

test("a visitor is told that no worker is there, and the check begins when one comes", async () => {
  const { site, start } = await openProcesses();
  const web = await start("web");
  const browser = openFormBrowser(web.origin, { "Accept-Language": "en" });
  const location = (await browser.post("/?index", { url: site.url("/page-1") })).location ?? "";
  expect((await browser.get(location)).text).toContain("No scanner is running at the moment");
  await start("worker");
  await expect.poll(async () => (await browser.get(location)).text, WITHIN).toContain('class="violation');
});

test("a canceled scan stops at once in its worker, and its progress reaches another web server", async () => {
  const { site, start } = await openProcesses(1_000);
  const [web, other] = await Promise.all([start("web"), start("web"), start("worker")]);
  const member = await newMember(web);
  const run = await requestScan(member, { url: site.url("/"), scope: "site" });
  const news = await fetch(`${other.origin}${run}/events`, { headers: { Cookie: member.cookie } });
  const reader = news.body?.getReader();
  await expect.poll(() => site.requests.filter((path) => path.startsWith("/page-")).length, WITHIN).toBeGreaterThan(0);
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("data: changed");
  await member.post(`${run}/cancel`, {});
  await delay(1_500);
  const seen = site.requests.length;
  await delay(3_000);
  expect(site.requests.length).toBe(seen);
  await reader?.cancel();
});

test("the pages of one site are checked by two workers, never more at once than a site is to bear", async () => {
  const { site, start, mostOpen } = await openProcesses(500);
  const web = await start("web");
  const workers = await Promise.all([start("worker", { SCAN_CONCURRENCY: "1" }), start("worker", { SCAN_CONCURRENCY: "1" })]);
  const member = await newMember(web);
  const report = await scanned(member, { url: site.url("/"), scope: "site" });
  const checked = await Promise.all(workers.map(pagesChecked));
  expect(checked.toSorted()).toEqual([expect.any(Number), LINKS + 1 - Math.min(...checked)]);
  expect(Math.min(...checked)).toBeGreaterThan(0);
  expect(mostOpen()).toBeLessThanOrEqual(4);
  const db = await web.database();
  expect(await db.selectFrom("run").select(["status", "pages", "failed_pages"]).execute()).toEqual([{ status: "succeeded", pages: LINKS + 1, failed_pages: 0 }]);
  expect(headingOf((await member.get(report)).text)).toContain("127.0.0.1");
  expect(await db.selectFrom("remote_check").selectAll().execute()).toEqual([]);
  expect(await db.selectFrom("job").selectAll().where("queue", "=", "remote").execute()).toEqual([]);
});

/** Number of pages that a worker has checked, by its metrics. */
async function pagesChecked({ origin }: TestServer): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`, { headers: { Authorization: "Bearer a token for the metrics" } })).text();
  return Number(/^rampe_pages_total\{outcome="succeeded"\} (\d+)$/m.exec(metrics)?.[1]);
}

test("limits of requests count for all web servers together", async () => {
  const { site, start } = await openProcesses();
  const [one, two] = await Promise.all([start("web", { FREE_CHECKS_PER_HOUR: "3" }), start("web", { FREE_CHECKS_PER_HOUR: "3" })]);
  const statuses = [];
  for (const server of [one, two, one, two]) statuses.push((await openFormBrowser(server.origin).post("/?index", { url: site.url("/") })).status);
  expect(statuses).toEqual([303, 303, 303, 429]);
  const stored = await (await one.database()).selectFrom("rate_limit").selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain("127.0.0.1");
});

test("a mail that one web server is sending is not sent again by one that starts meanwhile", async () => {
  const smtp = await startSmtp();
  onTestFinished(() => smtp.close());
  const { start } = await openProcesses();
  const settings = { SMTP_URL: smtp.url, MAIL_FROM: "Rampe <post@rampe.example>" };
  const first = await start("web", settings);
  let accept = () => {};
  smtp.holdUntil = new Promise((resolve) => (accept = resolve));
  await newMember(first);
  await expect.poll(() => smtp.attempts()).toBe(1);
  const second = await start("web", settings);
  await newMember(second);
  await delay(1_000);
  accept();
  await expect.poll(() => smtp.received.length).toBe(2);
  await delay(1_000);
  expect([smtp.received.length, new Set(smtp.received.map(({ to }) => to)).size]).toEqual([2, 2]);
});

test("a process with another secret is refused while one leads", async () => {
  const { start } = await openProcesses();
  await start("web");
  const others = (["web", "worker"] as const).map((role) => start(role, { SESSION_SECRET: "another secret that opens nothing of what is stored here" }));
  const refused = others.map((other) => expect(other).rejects.toThrow("SESSION_SECRET is unusable: it wants that of the other processes on this database."));
  await Promise.all(refused);
});
