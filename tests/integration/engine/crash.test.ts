import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { freshLocation } from "../../support/database/database";
import { startKillable } from "../../support/servers/killable-server";
import { withDatabase } from "../../support/database/server-database";
import { minutes } from "../../support/patience";
import { repetitions } from "../../support/repetitions";
import { browserProcesses } from "../../support/servers/processes";
import { openSite, pageWith, type Page } from "../../support/scan/site";

const KILLS = repetitions(12, 120);
const QUEUED = 10;
const PAGES = 20 * KILLS;
// More than the duration of a check, so that some kills interrupt one and others do not.
const LONGEST_LIFE_MS = 1_500;
const MARK = `Rampe-kills/${process.pid}`;

test(`no check is lost or duplicated by ${KILLS} kills of the server, half of them after one of its browser`, async () => {
  const site = await openSite(
    Object.fromEntries(Array.from({ length: PAGES }, (_, index) => [`/${index}`, slowPage])),
  );
  onTestFinished(() => site.close());
  const location = freshLocation();
  const settings = {
    SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
    SCAN_CONCURRENCY: "2",
    FREE_CHECKS_PER_HOUR: "1000000",
    SCAN_USER_AGENT: MARK,
  };
  const requested: string[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    const server = await startKillable(location, settings);
    // Ten runs at first, and a new one for each finished run, so that every kill interrupts work.
    const missing = QUEUED - (await unfinished());
    for (let count = 0; count < missing; count += 1)
      requested.push(await requestScan(server.origin, site.url(`/${requested.length}`)));
    await delay(Math.random() * LONGEST_LIFE_MS);
    if (round % 2 === 1) {
      // The browser of a newly started server may not run yet.
      await vi.waitFor(() => expect(killBrowsers()).toBeGreaterThan(0), { timeout: 20_000, interval: 50 });
      await delay(Math.random() * LONGEST_LIFE_MS);
    }
    await server.kill();
  }
  const { origin } = await startKillable(location, settings);
  await vi.waitFor(async () => expect(await unfinished()).toBe(0), { timeout: minutes(1.5), interval: 200 });

  await withDatabase(location, async (db) => {
    const lost = await db
      .selectFrom("run")
      .innerJoin("job", "job.run_id", "run.id")
      .select(["run.id", "run.status", "run.reason", "job.deaths", "job.attempts", "job.error"])
      .where("run.status", "!=", "succeeded")
      .execute();
    expect(lost).toEqual([]);
  });
  for (const check of requested) {
    const answer = await fetch(`${origin}${check}`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("image-alt");
  }
  await withDatabase(location, async (db) => {
    const runs = await db.selectFrom("run").select(["id", "status", "pages", "violations"]).execute();
    expect(runs.map(({ id }) => `/check/${id}`).sort()).toEqual([...requested].sort());
    // A result stored twice would count two pages; one stored in part would differ from the others.
    for (const run of runs)
      expect(run).toMatchObject({ status: "succeeded", pages: 1, violations: runs[0]?.violations });
    const findings = await db
      .selectFrom("finding")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .groupBy("page_id")
      .execute();
    expect(findings).toEqual(requested.map(() => findings[0]));
    const jobs = await db.selectFrom("job").select(["run_id", "state", "deaths"]).execute();
    expect(jobs.map(({ state }) => state)).toEqual(requested.map(() => "done"));
    // Control: the kills interrupted work.
    expect(jobs.reduce((sum, { deaths }) => sum + deaths, 0)).toBeGreaterThan(KILLS / 4);
  });

  async function unfinished(): Promise<number> {
    return withDatabase(location, async (db) => {
      const open = await db
        .selectFrom("run")
        .select("id")
        .where("status", "in", ["queued", "running"])
        .execute();
      return open.length;
    });
  }
});

/** Kills all browsers. @returns their number */
function killBrowsers(): number {
  const browsers = browserProcesses(MARK).filter(({ command }) => !command.includes("--type="));
  for (const { pid } of browsers) process.kill(pid, "SIGKILL");
  return browsers.length;
}

async function requestScan(origin: string, url: string): Promise<string> {
  const answer = await fetch(`${origin}/?index`, {
    method: "POST",
    body: new URLSearchParams({ url }),
    redirect: "manual",
  });
  expect(answer.status).toBe(303);
  return answer.headers.get("Location") ?? "";
}

const slowPage: Page = (_request, response) => {
  setTimeout(() => {
    response.writeHead(200, { "content-type": "text/html" }).end(pageWith(""));
  }, 200);
};
