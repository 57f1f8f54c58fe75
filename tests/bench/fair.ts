import { setTimeout as delay } from "node:timers/promises";
import { below, conclude, figure, introduce, median, round, spread } from "./support/figures";
import { readOptions, sized } from "./support/options";
import { startBenchServer } from "./support/bench-server";
import { newMember, visitorOf } from "../support/accounts/accounts";
import type { FormBrowser } from "../support/browser/form-browser";
import { openSite, pageWith, type Page } from "../support/scan/site";

/*
 * Duration of a scan while hundreds of scans of an endless page wait: 200 requests of one account and 60 of guests in
 * three networks, without limits; then another account requests a page, and a site of 20 pages. Compared with an idle
 * server. Needs a build.
 *
 *   npx tsx tests/bench/fair.ts [--rounds 10]
 */
const PAGE_TARGET = 3;
const SITE_TARGET = 4;
const OF_ACCOUNT = sized(200, 16);
const ANONYMOUS = sized(60, 8);
const NETWORKS = 3;
const SITE_PAGES = sized(20, 2);
/** Length of the loop in a hostile page. */
const HOSTILE_STEPS = sized(Infinity, 1e8);
const LOOK_EVERY_MS = 50;
/** Time until the hostile scans use their full share. */
const HEAD_START_MS = sized(20_000, 0);

const options = readOptions({ rounds: 10 });
introduce(`A page and a site of ${SITE_PAGES} pages, on an idle server and behind ${OF_ACCOUNT} + ${ANONYMOUS} hostile orders`);

const links = Array.from({ length: SITE_PAGES - 1 }, (_, index) => `<p><a href="/page/${index}">Page ${index}</a></p>`).join("");
const pages: Record<string, Page> = Object.fromEntries(
  Array.from({ length: SITE_PAGES - 1 }, (_, index): [string, Page] => [`/page/${index}`, pageWith(`<p>${index}</p>`)]),
);
const site = await openSite({ ...pages, "/": pageWith(links), "/hostile": pageWith(`<script>setTimeout(() => { for (let step = 0; step < ${HOSTILE_STEPS}; step += 1); }, 50)</script>`) });
const server = await startBenchServer(site, {
  BILLING: "off",
  TRUST_PROXY: "1",
  SCAN_ALLOW_PRIVATE: "127.0.0.1",
});
const db = await server.database();
const user = await newMember(server);

const idle = { page: await times(options.rounds, "page", "/"), site: await times(options.rounds, "site", "/") };
const hostile = await newMember(server);
for (let count = 0; count < OF_ACCOUNT; count += 1) await order(hostile, "page", "/hostile");
for (let count = 0; count < ANONYMOUS; count += 1) {
  const visitor = visitorOf(server, { headers: { "X-Forwarded-For": `198.51.${100 + (count % NETWORKS)}.${count}` } });
  const { status } = await visitor.post("/?index", { url: site.url("/hostile") });
  if (status !== 303) throw new Error(`A free check was answered with ${status}.`);
}
await delay(HEAD_START_MS);
const busy = { page: await times(options.rounds, "page", "/"), site: await times(options.rounds, "site", "/") };
const { waiting } = await db
  .selectFrom("job")
  .select((eb) => eb.fn.countAll<number>().as("waiting"))
  .where("state", "=", "queued")
  .executeTakeFirstOrThrow();
if (waiting === 0) throw new Error("The hostile orders were done before the end: this has measured nothing.");
await server.stop();
await site.close();

conclude([
  ...(["page", "site"] as const).flatMap((scope) => [
    figure(`${scope}, idle`, `${spread(idle[scope], " ms")}`),
    figure(`${scope}, behind hostile orders`, `${spread(busy[scope], " ms")}`),
  ]),
  figure("hostile orders that waited at the end", waiting),
  below("page, busy / idle", median(busy.page) / median(idle.page), PAGE_TARGET),
  below(`site of ${SITE_PAGES} pages, busy / idle`, median(busy.site) / median(idle.site), SITE_TARGET),
]);

async function times(rounds: number, scope: "page" | "site", path: string): Promise<number[]> {
  const all: number[] = [];
  for (let count = 0; count < rounds; count += 1) {
    const begun = performance.now();
    const run = await order(user, scope, path);
    for (;;) {
      const { status } = await db.selectFrom("run").select("status").where("id", "=", run).executeTakeFirstOrThrow();
      if (status === "succeeded") break;
      if (status === "failed") throw new Error(`A ${scope} failed.`);
      await delay(LOOK_EVERY_MS);
    }
    all.push(performance.now() - begun);
    console.log(`${scope}: ${round(all.at(-1) ?? 0)} ms`);
  }
  return all;
}

/** @returns the run's id */
async function order(browser: FormBrowser, scope: "page" | "site", path: string): Promise<string> {
  const { status, location } = await browser.post("/runs/new", { url: site.url(path), scope, level: "AA", anyway: "yes" });
  const id = /\/run\/([\w-]+)$/.exec(location ?? "")?.[1];
  if (!id) throw new Error(`An order was answered with ${status}.`);
  return id;
}
