import { expect, onTestFinished, test } from "vitest";
import type { Db } from "db/schema";
import type { Installation } from "~/platform/installation/installation";
import type { Queue } from "~/platform/jobs/queue";
import type { Arrival, EngineVersion, PageRequest, Scanner, UncheckedPage } from "~/scan/types";
import { createRemoteChecks, deleteForgottenOffers } from "~/server/scans/remote-checks.server";
import { freshDatabase } from "../../support/database/database";
import { createQueue, later, OTHER_HOST, run } from "../../support/database/job-queue";
import { checkedPage, ENGINES, fakeScanner, finding, uncheckedPage } from "../../support/database/page-results";
import { WCAG22AA } from "../../support/scan/scanner";

const RUN = "run";
const request = (url: string, more: Partial<PageRequest> = {}): PageRequest => ({ url, standard: WCAG22AA, priority: "background", ...more });
const offers = (db: Db) => db.selectFrom("remote_check").select("state").execute();
const jobs = (db: Db) => db.selectFrom("job").select("state").where("queue", "=", "remote").execute();

/** Scanner with one slot, in which each page stays until it is let go. */
function slowScanner(name: string) {
  const slow: { engines: EngineVersion[]; fails?: Pick<UncheckedPage, "reason" | "detail"> } = { engines: ENGINES };
  const free = { now: Promise.resolve() };
  const open = new Map<string, { end: () => void; goOn: (to: string) => void; alone: boolean }>();
  const check: Scanner["check"] = async ({ url, onBegin, onArrival, signal, alone = false }) => {
    const before = free.now;
    const own = later();
    free.now = before.then(() => own.promise);
    try {
      await Promise.race([before, aborted(signal)]);
      await onBegin?.();
      onArrival?.({ url, canonical: null, links: [`${url}/next`] });
      const ended = later();
      open.set(url, { end: ended.resolve, goOn: (to) => onArrival?.({ url: to, canonical: null, links: [] }), alone });
      await Promise.race([ended.promise, aborted(signal)]);
      if (slow.fails) return uncheckedPage({ url, ...slow.fails });
      return checkedPage({ url, title: `checked by ${name}`, findings: { violations: [finding("image-alt")], incomplete: [], passes: [], inapplicable: [] }, picture: { image: new Uint8Array([1, 2, 3]), width: 4, height: 5 } });
    } finally {
      open.delete(url);
      own.resolve();
    }
  };
  const scanner: Scanner = {
    ...{ ...fakeScanner(), check, parallel: 1 },
    get engines() {
      return slow.engines;
    },
  };
  return { slow, scanner, open, end: (url: string) => open.get(url)?.end(), goOn: (url: string, to: string) => open.get(url)?.goOn(to) };
}

const aborted = (signal?: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    if (signal?.aborted) reject(signal.reason as Error);
    signal?.addEventListener("abort", () => reject(signal.reason as Error));
  });

/** Two workers on one database. */
async function openWorkers({ workers = 2 } = {}) {
  const db = await freshDatabase();
  await db.insertInto("run").values(run(RUN)).execute();
  const listeners: ((id: string | null) => void)[] = [];
  const job = { id: "site", queue: "site", run_id: RUN, payload: "{}", state: "running" as const, run_at: 0, created_at: 0, lease_until: Date.now() + 60_000, heartbeat_at: Date.now(), leased_by: "here" };
  await db.insertInto("job").values(job).execute();
  const installation: Pick<Installation, "on" | "notify" | "workers" | "now"> = {
    now: Date.now,
    on: (_topic, listener) => void listeners.push(listener),
    notify: (_topic, id) => listeners.forEach((listener) => listener(id)),
    workers: () => Promise.resolve(workers),
  };
  const open = (name: string, queue: Queue) => {
    const slow = slowScanner(name);
    const checks = createRemoteChecks({ db, scanner: slow.scanner, queue, installation });
    return { ...slow, checks, queue, scanner: checks.scannerOf(RUN, {}), work: () => queue.work(checks.handler, { concurrency: 1, isFree: checks.isFree }) };
  };
  const [here, there] = [open("here", createQueue(db, { name: "remote", pollMs: 20 })), open("there", createQueue(db, { name: "remote", pollMs: 20, worker: OTHER_HOST }))];
  await here.work();
  await expect.poll(() => here.scanner.parallel).toBe(workers > 1 ? 4 : 1);
  return { db, here, there };
}

test("a page that waits for a slot is checked by a worker with a free one, with its links and pictures", async () => {
  const { db, here, there } = await openWorkers();
  await there.work();
  const first = here.scanner.check(request("https://shop.example/1"));
  await expect.poll(() => here.open.size).toBe(1);
  const [begun, arrivals] = [[] as string[], [] as Arrival[]];
  const second = here.scanner.check(request("https://shop.example/2", { onBegin: async () => void begun.push("2"), onArrival: (arrival) => void arrivals.push(arrival) }));
  await expect.poll(() => there.open.size).toBe(1);
  await expect.poll(() => begun).toEqual(["2"]);
  there.end("https://shop.example/2");
  const result = await second;
  expect(result).toMatchObject({ status: "succeeded", url: "https://shop.example/2", title: "checked by there", findings: { violations: [{ ruleId: "image-alt" }] } });
  expect(result.status === "succeeded" && [...(result.picture?.image ?? [])]).toEqual([1, 2, 3]);
  expect(arrivals).toEqual([{ url: "https://shop.example/2", canonical: null, links: ["https://shop.example/2/next"] }]);
  here.end("https://shop.example/1");
  expect(await first).toMatchObject({ title: "checked by here" });
  expect(await offers(db)).toEqual([]);
  await expect.poll(() => jobs(db)).toEqual([]);
});

test("a page is checked here if its turn comes first, and no offer stays", async () => {
  const { db, here, there } = await openWorkers();
  const first = here.scanner.check(request("https://shop.example/1"));
  await expect.poll(() => here.open.size).toBe(1);
  const second = here.scanner.check(request("https://shop.example/2"));
  await expect.poll(() => offers(db)).toEqual([{ state: "waiting" }]);
  here.end("https://shop.example/1");
  await first;
  await expect.poll(() => [...here.open.keys()]).toEqual(["https://shop.example/2"]);
  await expect.poll(async () => [await offers(db), await jobs(db)]).toEqual([[], []]);
  await there.work();
  here.end("https://shop.example/2");
  expect(await second).toMatchObject({ title: "checked by here" });
});

// A busy machine may take longer for an offer than the wait before it.
test("pages are offered sooner while others take them at once, and later again when none is free", { retry: 4 }, async () => {
  const { db, here, there } = await openWorkers();
  await there.work();
  const checks = ["1", "2"].map((page) => here.scanner.check(request(`https://shop.example/${page}`)));
  await expect.poll(() => [...here.open.keys(), ...there.open.keys()]).toEqual(["https://shop.example/1", "https://shop.example/2"]);
  const msToOffer = async (page: string) => {
    const began = performance.now();
    checks.push(here.scanner.check(request(`https://shop.example/${page}`)));
    await expect.poll(() => offers(db), { interval: 5 }).toContainEqual({ state: "waiting" });
    return performance.now() - began;
  };
  expect(await msToOffer("3")).toBeLessThan(290);
  here.end("https://shop.example/1");
  await expect.poll(() => here.open.has("https://shop.example/3")).toBe(true);
  expect(await msToOffer("4")).toBeGreaterThan(290);
  const all = Promise.all(checks);
  there.end("https://shop.example/2");
  await expect.poll(() => there.open.has("https://shop.example/4")).toBe(true);
  here.end("https://shop.example/3");
  there.end("https://shop.example/4");
  expect((await all).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => "succeeded"));
});

test("pages with access data, suspected pages, and pages of the only worker stay in their process", async () => {
  const { db, here, there } = await openWorkers();
  await there.work();
  const alone = await openWorkers({ workers: 1 });
  const open = [here.scanner.check(request("https://shop.example/1")), alone.here.scanner.check(request("https://shop.example/1"))];
  await expect.poll(() => [here.open.size, alone.here.open.size]).toEqual([1, 1]);
  open.push(here.scanner.check(request("https://shop.example/2", { access: { kind: "cookie", cookie: "secret", origin: "https://shop.example" } })));
  open.push(here.scanner.check(request("https://shop.example/3", { alone: true })));
  open.push(alone.here.scanner.check(request("https://shop.example/2")));
  for (const url of ["1", "2", "3"]) {
    const address = `https://shop.example/${url}`;
    await expect.poll(() => here.open.has(address) && (url === "3" || alone.here.open.has(address))).toBe(true);
    expect([await offers(db), await offers(alone.db), there.open.size]).toEqual([[], [], 0]);
    // Longer than the wait before an offer.
    if (url === "1") await new Promise((resolve) => setTimeout(resolve, 500));
    for (const side of [here, alone.here]) side.end(address);
  }
  for (const result of await Promise.all(open)) expect(result).toMatchObject({ title: "checked by here" });
});

test("a page whose other worker stops or dies is checked here, after a crash without other pages", async () => {
  for (const [how, isAlone] of [["stopped", false], ["died", true]] as const) {
    const { db, here, there } = await openWorkers();
    await there.work();
    const first = here.scanner.check(request("https://shop.example/1"));
    await expect.poll(() => here.open.size).toBe(1);
    const second = here.scanner.check(request("https://shop.example/2"));
    await expect.poll(() => there.open.size).toBe(1);
    if (how === "stopped") await there.queue.stop({ graceMs: 0 });
    else await db.transaction().execute(async (trx) => there.checks.handler.putBack(trx, { id: "", runId: RUN, attempt: 1, party: "", deaths: 0, payload: (await trx.selectFrom("remote_check").select("id").executeTakeFirstOrThrow()).id }, "died"));
    here.end("https://shop.example/1");
    await first;
    await expect.poll(() => here.open.get("https://shop.example/2")?.alone).toBe(isAlone);
    here.end("https://shop.example/2");
    expect(await second).toMatchObject({ title: "checked by here" });
    expect(await offers(db)).toEqual([]);
  }
});

test("a run that ends leaves no offer, and a document that the crawl does not need ends the page", async () => {
  const { db, here, there } = await openWorkers();
  await there.work();
  const ended = new AbortController();
  const skipped = new AbortController();
  onTestFinished(() => ended.abort(new Error("over")));
  here.scanner.check(request("https://shop.example/1", { signal: ended.signal })).catch(() => {});
  await expect.poll(() => here.open.size).toBe(1);
  const second = here.scanner.check(request("https://shop.example/2", { signal: skipped.signal, onArrival: () => skipped.abort(new Error("not needed")) }));
  await expect.poll(() => there.open.size).toBe(1);
  const third = here.scanner.check(request("https://shop.example/3", { signal: ended.signal }));
  await expect.poll(() => offers(db)).toHaveLength(2);
  there.end("https://shop.example/2");
  await expect(second).rejects.toThrow("not needed");
  await expect.poll(() => [...there.open.keys()]).toEqual(["https://shop.example/3"]);
  ended.abort(new Error("the run was canceled"));
  await expect(third).rejects.toThrow("the run was canceled");
  expect(await offers(db)).toEqual([]);
});

test("the first document that the crawl does not need ends the page, as in its own process", async () => {
  const { here, there } = await openWorkers();
  await there.work();
  const first = here.scanner.check(request("https://shop.example/1"));
  await expect.poll(() => here.open.size).toBe(1);
  const [skipped, seen] = [new AbortController(), [] as string[]];
  const onArrival = ({ url }: Arrival) => {
    seen.push(url);
    skipped.abort(new Error("not needed"));
  };
  const second = here.scanner.check(request("https://shop.example/2", { signal: skipped.signal, onArrival }));
  await expect.poll(() => there.open.size).toBe(1);
  there.goOn("https://shop.example/2", "https://shop.example/landing");
  there.end("https://shop.example/2");
  await expect(second).rejects.toThrow("not needed");
  expect(seen).toEqual(["https://shop.example/2"]);
  here.end("https://shop.example/1");
  await first;
});

test("a result of another version, or of a worker without a working browser, counts for nothing", async () => {
  for (const fault of ["version", "browser"] as const) {
    const { here, there } = await openWorkers();
    if (fault === "version") there.slow.engines = [{ name: "axe-core", version: "0" }];
    else there.slow.fails = { reason: "crashed", detail: { browserDied: true } };
    await there.work();
    const first = here.scanner.check(request("https://shop.example/1"));
    await expect.poll(() => here.open.size).toBe(1);
    const second = here.scanner.check(request("https://shop.example/2"));
    await expect.poll(() => there.open.size).toBe(1);
    there.end("https://shop.example/2");
    here.end("https://shop.example/1");
    await first;
    await expect.poll(() => here.open.has("https://shop.example/2")).toBe(true);
    here.end("https://shop.example/2");
    expect(await second).toMatchObject({ title: "checked by here" });
  }
});

test("no worker takes a page before it has a slot, or of a run that is not under way", async () => {
  const { db, here, there } = await openWorkers();
  const busy = there.checks.local.check(request("https://shop.example/own"));
  await expect.poll(() => there.open.size).toBe(1);
  await there.work();
  const first = here.scanner.check(request("https://shop.example/1"));
  await expect.poll(() => here.open.size).toBe(1);
  const second = here.scanner.check(request("https://shop.example/2"));
  await expect.poll(() => offers(db)).toEqual([{ state: "waiting" }]);
  await db.updateTable("job").set({ lease_until: Date.now() - 1 }).where("id", "=", "site").execute();
  there.end("https://shop.example/own");
  await busy;
  // Its job is looked at as soon as the worker has a slot.
  await expect.poll(async () => (await jobs(db)).map(({ state }) => state)).toEqual(["done"]);
  expect(await offers(db)).toEqual([{ state: "waiting" }]);
  here.end("https://shop.example/1");
  await first;
  await expect.poll(() => here.open.has("https://shop.example/2")).toBe(true);
  here.end("https://shop.example/2");
  expect(await second).toMatchObject({ title: "checked by here" });
});

test("offers of ended processes are deleted after an hour", async () => {
  const db = await freshDatabase();
  await db.insertInto("run").values(run(RUN)).execute();
  await db.insertInto("remote_check").values({ id: "left", run_id: RUN, request: "{}", state: "checked", outcome: new Uint8Array([1]), created_at: 1_000 }).execute();
  await deleteForgottenOffers(db, 3_600_999);
  expect(await offers(db)).toHaveLength(1);
  await deleteForgottenOffers(db, 3_601_000);
  expect(await offers(db)).toEqual([]);
});
