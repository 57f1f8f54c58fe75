import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { joinInstallation } from "~/platform/installation/postgres-installation.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { createRuns } from "~/runs/run.server";
import { startSmtp } from "../../doubles/smtp";
import { newMember } from "../../support/accounts";
import { testBox } from "../../support/database";
import { openFormBrowser } from "../../support/form-browser";
import { freshFolder } from "../../support/fresh-folder";
import { headingOf, requestScan, scanned, WITHIN } from "../../support/run-pages";
import { WCAG22AA } from "../../support/scanner";
import { startServer, type TestServer } from "../../support/server";
import { settingsOf } from "../../support/server-database";
import { openSite, pageWith, type Page, type Site } from "../../support/site";

/*
 * Several processes on one PostgreSQL database: web servers without a browser, and workers without pages.
 */

const SECRET = "a secret that all processes of this installation have in common";
const LINKS = 6;

interface Processes {
  site: Site;
  /** Most requests of pages that were open at once, since the last question. */
  mostOpen(): number;
  start(role: "web" | "worker", env?: Record<string, string>): Promise<TestServer>;
}

/** A site of seven pages, and a database that processes can be started on. */
async function openProcesses(pageMs = 0): Promise<Processes> {
  let open = 0;
  let most = 0;
  const slowly = (body: string): Page => (_request, response) => {
    most = Math.max(most, (open += 1));
    response.on("close", () => (open -= 1));
    setTimeout(() => response.writeHead(200, { "content-type": "text/html" }).end(body), pageMs);
  };
  const links = Array.from({ length: LINKS }, (_, index) => `<p><a href="/page-${index}">Page ${index}</a></p>`).join("");
  const site = await openSite({ "/": slowly(pageWith(links)), ...Object.fromEntries(Array.from({ length: LINKS }, (_, index) => [`/page-${index}`, slowly(pageWith("<p>A page.</p>"))])) });
  onTestFinished(() => site.close());
  const dataDir = freshFolder();
  const settings = { SESSION_SECRET: SECRET, BILLING: "off", REGISTRATION: "open", METRICS_TOKEN: "a token for the metrics", SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, SCAN_CONCURRENCY: "2" };
  const start = async (role: "web" | "worker", env: Record<string, string> = {}) => {
    // A web server may not have any.
    const server = await startServer({ dataDir, env: { ...settings, ROLE: role, ...(role === "web" && { CHROME_PATH: "/nowhere" }), ...env } });
    onTestFinished(() => server.stop().then(() => {}));
    return server;
  };
  const mostOpen = () => {
    const answer = most;
    most = open;
    return answer;
  };
  return { site, mostOpen, start };
}

async function freeCheck({ origin }: TestServer, url: string) {
  const browser = openFormBrowser(origin, { "Accept-Language": "en" });
  const asked = await browser.post("/?index", { url });
  return asked.location ? browser.get(asked.location) : asked;
}

/** The runs as a process of their own has them, which tells the others. */
async function openRuns({ dataDir, database }: TestServer) {
  const db = await database();
  const installation = await joinInstallation({ url: settingsOf({ dataDir }).DATABASE_URL ?? "", mayLead: false });
  onTestFinished(() => installation.stop());
  const queues = { page: createDatabaseQueue({ db, installation }), site: createDatabaseQueue({ db, name: "site", installation }) };
  return { db, runs: createRuns({ db, box: testBox, queues, retentionDays: 1 }) };
}

type OpenRuns = Awaited<ReturnType<typeof openRuns>>;

/** Starts a scan of the whole site for a user of their own, without advanced analyses, which take most of the time. */
async function startSite({ runs }: OpenRuns, site: Site, owner: string): Promise<string> {
  return (await runs.start({ url: site.url("/"), scope: "site", standard: WCAG22AA, owner, trial: true })).id;
}

/** Process that works on a run. */
async function workerOf({ db }: OpenRuns, id: string): Promise<string> {
  let worker: string | undefined;
  await expect.poll(async () => {
    const job = await db.selectFrom("job").select("leased_by").where("run_id", "=", id).executeTakeFirstOrThrow();
    return (worker = job.leased_by?.split("/")[1]);
  }, WITHIN).toBeDefined();
  return worker ?? "";
}

/** Starts a scan that another worker than this one takes. */
async function startElsewhere(open: OpenRuns, site: Site, than: string): Promise<string> {
  for (let attempt = 1; attempt <= 30; attempt += 1) {
    const id = await startSite(open, site, `user ${attempt}`);
    if ((await workerOf(open, id)) !== than) return id;
    await open.runs.cancel(id, `user ${attempt}`);
  }
  throw new Error("The other worker takes no job.");
}

const stateOf = ({ db }: OpenRuns, id: string) => db.selectFrom("run").select(["status", "pages"]).where("id", "=", id).executeTakeFirst();

test("a web server without a browser has pages checked by a worker, shows the result at once, and gets its PDF there", async () => {
  const { site, start } = await openProcesses();
  const [web, worker] = await Promise.all([start("web"), start("worker")]);
  expect(await (await fetch(`${web.origin}/healthz`)).json()).not.toHaveProperty("scanner");
  expect(await (await fetch(`${worker.origin}/healthz`)).json()).toMatchObject({ ok: true, scanner: "ok" });
  for (const path of ["/", "/login", "/runs"]) expect((await fetch(worker.origin + path)).status).toBe(404);
  const metrics = await fetch(`${worker.origin}/metrics`, { headers: { Authorization: "Bearer a token for the metrics" } });
  expect(await metrics.text()).toContain('rampe_healthy{part="scanner"} 1');

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

test("two workers visit a site no more at once than one does, and complete both scans of it", async () => {
  const { site, mostOpen, start } = await openProcesses(400);
  // A single page at once.
  const few = { SCAN_CONCURRENCY: "1" };
  const [one] = await Promise.all([start("worker", few), start("worker", few)]);
  const open = await openRuns(one);
  const first = await startSite(open, site, "ada");
  const second = await startElsewhere(open, site, await workerOf(open, first));
  // Pages of canceled scans are closed by then.
  await delay(1_000);
  mostOpen();
  for (const id of [first, second]) await expect.poll(() => stateOf(open, id), WITHIN).toEqual({ status: "succeeded", pages: LINKS + 1 });
  expect(mostOpen()).toBe(1);
});

test("a scan whose worker is killed goes on in another one within half a minute, and no page is stored twice", async () => {
  const { site, start } = await openProcesses(300);
  const first = await start("worker");
  const id = await startSite(await openRuns(first), site, "ada");
  await expect.poll(() => site.requests.filter((path) => path.startsWith("/page-")).length, WITHIN).toBeGreaterThan(2);
  // On another machine, nobody can see that the process is gone.
  await (await first.database()).updateTable("job").set({ leased_by: "elsewhere/1/1/claim" }).execute();
  const second = await start("worker");
  const killedAt = Date.now();
  await first.kill();
  await second.logged(({ msg }) => msg === "job taken back");
  expect(Date.now() - killedAt).toBeLessThan(30_000);
  const open = await openRuns(second);
  await expect.poll(() => stateOf(open, id), WITHIN).toEqual({ status: "succeeded", pages: LINKS + 1 });
  const pages = await open.db.selectFrom("page").select("url").where("run_id", "=", id).execute();
  expect(pages.map(({ url }) => url).sort()).toEqual(["/", ...Array.from({ length: LINKS }, (_, index) => `/page-${index}`)].map((path) => site.url(path)).sort());
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
  for (const role of ["web", "worker"] as const) {
    await expect(start(role, { SESSION_SECRET: "another secret that opens nothing of what is stored here" })).rejects.toThrow("SESSION_SECRET is unusable: it wants that of the other processes on this database.");
  }
});
