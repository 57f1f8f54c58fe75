import { createReadStream, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { readEnv } from "~/platform/env.server";
import { startServices, type Services } from "~/server/services.server";
import { takeSample } from "~/server/scans/sample.server";

const SHOP = fileURLToPath(new URL("./sample-shop", import.meta.url));
const RESULT = fileURLToPath(new URL("../app/reports/sample/sample-report.json", import.meta.url));
const TYPES: Record<string, string> = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".svg": "image/svg+xml" };
/** Shown address instead of that of this machine. `.example` is reserved: no real site has this name. */
const SHOWN_ORIGIN = "https://teekiste.example";
const OWNER = "sample";

/** Scans the practice shop like a user's site, and stores the report for `/sample`. Started by `scripts/sample.mjs`. */
export async function makeSample(): Promise<void> {
  const shop = await openShop();
  const folder = mkdtempSync(path.join(tmpdir(), "rampe-sample-"));
  const { host, origin } = new URL(shop.origin);
  const env = readEnv({ DATA_DIR: folder, BILLING: "off", SCAN_ALLOW_PRIVATE: host, SCAN_PAGE_SECONDS: "120" });
  const services = await startServices(env, pino({ level: "warn" }, process.stderr), null);
  try {
    await scanned(services, `${origin}/`);
    const sample = JSON.stringify(await takeSample(env), null, 1);
    writeFileSync(RESULT, `${sample.replaceAll(origin, SHOWN_ORIGIN).replaceAll(`"${host}"`, `"${new URL(SHOWN_ORIGIN).host}"`)}\n`);
  } finally {
    await services.stop();
    await shop.close();
    rmSync(folder, { recursive: true });
  }
}

async function scanned({ runs }: Services, url: string): Promise<void> {
  const order = { url, scope: "site", standard: { version: "2.2", level: "AA" }, owner: OWNER } as const;
  const { id } = await runs.start(order);
  for (;;) {
    const run = await runs.ofOwner(id, OWNER);
    if (run?.status === "succeeded") return;
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
