import { expect, onTestFinished } from "vitest";
import { joinInstallation } from "~/platform/installation/postgres-installation.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";
import { createRuns } from "~/runs/run.server";
import { testBox } from "../database/database";
import { freshFolder } from "./fresh-folder";
import { WITHIN } from "../browser/run-pages";
import { WCAG22AA } from "../scan/scanner";
import { startServer, type TestServer } from "./server";
import { settingsOf } from "../database/server-database";
import { openSite, pageWith, type Page, type Site } from "../scan/site";

/*
 * Several processes on one PostgreSQL database: web servers without a browser, and workers without pages.
 */

export const SECRET = "a secret that all processes of this installation have in common";
export const LINKS = 6;

interface Processes {
  site: Site;
  /** Maximum number of simultaneously open page requests, since the last call. */
  mostOpen(): number;
  start(role: "web" | "worker", env?: Record<string, string>): Promise<TestServer>;
}

/** Site of seven pages, and a database for processes. */
export async function openProcesses(pageMs = 0): Promise<Processes> {
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
    // A web server needs no browser.
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

/** Runs like those of a separate process, which notifies the others. */
export async function openRuns({ dataDir, database }: TestServer) {
  const db = await database();
  const installation = await joinInstallation({ url: settingsOf({ dataDir }).DATABASE_URL ?? "", mayLead: false });
  onTestFinished(() => installation.stop());
  const queues = { page: createDatabaseQueue({ db, installation }), site: createDatabaseQueue({ db, name: "site", installation }) };
  return { db, runs: createRuns({ db, box: testBox, queues, retentionDays: 1 }) };
}

type OpenRuns = Awaited<ReturnType<typeof openRuns>>;

/** Starts a scan of the whole site for a new user, without advanced analyses, which take most of the time. */
export async function startSite({ runs }: OpenRuns, site: Site, owner: string): Promise<string> {
  return (await runs.start({ url: site.url("/"), scope: "site", standard: WCAG22AA, owner, trial: true })).id;
}

/** Worker that processes a run. */
export async function workerOf({ db }: OpenRuns, id: string): Promise<string> {
  let worker: string | undefined;
  await expect.poll(async () => {
    const job = await db.selectFrom("job").select("leased_by").where("run_id", "=", id).where("queue", "=", "site").executeTakeFirstOrThrow();
    return (worker = job.leased_by?.split("/")[1]);
  }, WITHIN).toBeDefined();
  return worker ?? "";
}

/** Starts a scan that a worker other than `than` takes. */
export async function startElsewhere(open: OpenRuns, site: Site, than: string): Promise<string> {
  for (let attempt = 1; attempt <= 30; attempt += 1) {
    const id = await startSite(open, site, `user ${attempt}`);
    if ((await workerOf(open, id)) !== than) return id;
    await open.runs.cancel(id, `user ${attempt}`);
  }
  throw new Error("The other worker takes no job.");
}

export const stateOf = ({ db }: OpenRuns, id: string) => db.selectFrom("run").select(["status", "pages"]).where("id", "=", id).executeTakeFirst();
