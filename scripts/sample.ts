import { createReadStream, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { readEnv } from "~/env.server";
import type { SampleReport } from "~/sample-report.server";
import { startServices, type Services } from "~/services.server";

const SHOP = fileURLToPath(new URL("./sample-shop", import.meta.url));
const RESULT = fileURLToPath(new URL("../app/lib/sample-report.json", import.meta.url));
const TYPES: Record<string, string> = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".svg": "image/svg+xml" };
/** Stands in for the address of this machine: nobody can have this name. */
const SHOWN_ORIGIN = "https://teekiste.example";
const OWNER = "sample";
/** More groups of one rule than the shop has. */
const ALL_GROUPS = 100;

/** Scans the practice shop as a user's site is scanned, and keeps the report where `/sample` shows it. `scripts/sample.mjs` runs it. */
export async function makeSample(): Promise<void> {
  const shop = await openShop();
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-sample-"));
  const { host, origin } = new URL(shop.origin);
  const env = readEnv({ DATA_DIR: folder, BILLING: "off", SCAN_ALLOW_PRIVATE: host });
  const services = await startServices(env, pino({ level: "warn" }, process.stderr), null);
  try {
    const report = await reportOn(services, `${origin}/`);
    writeFileSync(RESULT, `${JSON.stringify(report, null, 1).replaceAll(origin, SHOWN_ORIGIN)}\n`);
  } finally {
    await services.stop();
    await shop.close();
    rmSync(folder, { recursive: true });
  }
}

async function reportOn({ runs, pages, reports }: Services, url: string): Promise<SampleReport> {
  const order = { url, scope: "site", standard: { version: "2.2", level: "AA" }, owner: OWNER } as const;
  const { id } = await runs.start(order);
  for (;;) {
    const run = await runs.ofOwner(id, OWNER);
    if (run?.status === "succeeded") {
      const rules = await reports.rules(id);
      const found = rules.map(async ({ category, ruleId }) => {
        const places = await reports.placesOf(id, { category, ruleId, offset: 0, limit: ALL_GROUPS });
        return { category, ruleId, ...places };
      });
      const places = (await Promise.all(found)).filter(({ total }) => total > 0);
      return { run: { ...run, id: "sample", owner: null }, pages: await pages.ofRun(id), rules, places };
    }
    if (run?.status === "failed") throw new Error(`The shop could not be scanned: ${run.reason}`);
    await delay(200);
  }
}

async function openShop(): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://shop.example");
    const file = path.join(SHOP, path.normalize(pathname === "/" ? "/index.html" : pathname));
    const type = TYPES[path.extname(file)];
    if (!type || !existsSync(file)) return void response.writeHead(404, { "Content-Type": "text/html" }).end("<h1>404</h1>");
    response.writeHead(200, { "Content-Type": type });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
