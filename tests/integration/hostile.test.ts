import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { privateMemory } from "~/scan/browser/memory";
import type { CheckedPage, PageResult, Scanner } from "~/scan/types";
import type { Expected } from "../support/hostile/kinds";
import { hostilePages, slowPages } from "../support/hostile-pages";
import { minutes } from "../support/patience";
import { repetitions } from "../support/repetitions";
import { browserProcesses } from "../support/processes";
import { expectChecked, reasonOf, testScanner, violationsOf, WCAG22AA } from "../support/scanner";
import { seeded, shuffled } from "../support/seeded";
import { openSite, pageWith, type Page, type Site } from "../support/site";

/** A run can be repeated with the seed that a failed one has printed. */
const SEED = Number(process.env["HOSTILE_SEED"] ?? Date.now() % 1_000_000);
/** On a machine that also checks other hostile pages. */
const PAGE_SECONDS = 24;
const MOST_HELD_UP = 3;
const MARK = `Rampe/hostile-${process.pid}`;

const healthyPages: Record<string, Page> = {
  "/healthy/plain/": pageWith(`<p style="color:#999">Pale</p><input><a href="#x"></a>`),
  "/healthy/scripted/": pageWith(
    `<div id="list"></div><script>fetch("data").then((answer) => answer.json()).then((items) => { list.innerHTML = items.map((item) => '<button id=' + item + '></button>').join("") })</script>`
  ),
  "/healthy/scripted/data": { headers: { "content-type": "application/json" }, body: `["one","two"]` },
  "/healthy/composed/": pageWith(
    `<iframe title="In" src="in"></iframe><div id="host"></div><script>host.attachShadow({ mode: "open" }).innerHTML = "<img src='data:,'>"</script>`
  ),
  "/healthy/composed/in": pageWith("<input>"),
};
const HEALTHY = ["/healthy/plain/", "/healthy/scripted/", "/healthy/composed/"];

/** Few slow pages and many quick ones, others in each run; all in a run of full length. */
const names = [...someOf(true, 3), ...someOf(false, 23)];
const pathOf = (name: string) => `/${name.replace(/[^a-z\d]+/gi, "-")}/`;

describe(`hostile pages between healthy ones on one scanner (HOSTILE_SEED=${SEED})`, () => {
  const results = new Map<string, PageResult>();
  const healthy: { after: string; path: string; result: PageResult }[] = [];
  const fresh = new Map<string, PageResult>();
  let site: Site;
  let scanner: Scanner;
  let before: Footprint;

  beforeAll(async () => {
    site = await openSite(allPages());
    await checkOnFreshScanner();
    scanner = testScanner({
      pageSeconds: PAGE_SECONDS,
      bytesPerPage: 700_000_000,
      userAgent: `Mozilla/5.0 (compatible; ${MARK})`,
    });
    for (const path of [...HEALTHY, ...HEALTHY]) await check(path);
    // Closed processes end a moment later.
    await delay(3_000);
    before = footprint();
    await checkAll();
    for (const path of HEALTHY) healthy.push({ after: "all", path, result: await check(path) });
  }, minutes(15));

  afterAll(async () => {
    await scanner.stop();
    await site.close();
  });

  const check = (path: string, by = scanner) => by.check({ url: site.url(path), standard: WCAG22AA });

  async function checkOnFreshScanner() {
    for (const path of HEALTHY) {
      const other = testScanner();
      fresh.set(path, await check(path, other));
      await other.stop();
    }
  }

  /** As many at once as the scanner accepts, so that each has different neighbours. */
  async function checkAll() {
    const queue = shuffled(names, seeded(SEED));
    let turn = 0;
    const work = async () => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
        results.set(name, await check(pathOf(name)));
        const path = HEALTHY[turn++ % HEALTHY.length]!;
        healthy.push({ after: name, path, result: await check(path) });
      }
    };
    await Promise.all([work(), work()]);
    // Beside an endless page, a page may run out of time and say so; alone, it may not.
    for (const name of names.filter(wasHeldUp)) results.set(name, await check(pathOf(name)));
    const heldUp = healthy.filter(({ result }) => saysHeldUp(result));
    expect(heldUp.length, "healthy pages that were held up").toBeLessThanOrEqual(MOST_HELD_UP);
    for (const each of heldUp) each.result = await check(each.path);
  }

  function saysHeldUp(result: PageResult): boolean {
    if (result.status === "failed") return result.reason === "timeout";
    return result.gaps.unfinished || result.gaps.late.includes("unwatched");
  }

  function wasHeldUp(name: string): boolean {
    const { outcome } = hostilePages[name]!;
    const result = results.get(name)!;
    if (Array.isArray(outcome)) return false;
    if (result.status === "failed") return result.reason === "timeout" && !outcome.orElse.includes("timeout");
    return result.gaps.unfinished && outcome.gaps.unfinished === false;
  }

  it("every slow page is one of them", () => {
    expect(Object.keys(hostilePages)).toEqual(expect.arrayContaining([...slowPages]));
  });

  it.each(names)("%s", (name) => {
    const result = results.get(name)!;
    const { outcome } = hostilePages[name]!;
    if (Array.isArray(outcome)) expect(outcome).toContain(reasonOf(result));
    else expectOutcome(result, outcome);
    expect(result.durationMs).toBeLessThan(PAGE_SECONDS * 1_000 + 1_000);
  });

  it("every healthy page has its exact result", () => {
    expect(healthy.length).toBeGreaterThan(names.length);
    for (const { after, path, result } of healthy)
      expect(findingsOf(result), `${path} after: ${after}`).toEqual(findingsOf(fresh.get(path)!));
  });

  it("the memory of the browser and of this process returns to its level", async () => {
    await expect.poll(() => footprint().processes).toBeLessThanOrEqual(before.processes + 1);
    await expect.poll(() => footprint().browserBytes - before.browserBytes).toBeLessThan(250_000_000);
    await expect.poll(() => footprint().ownBytes - before.ownBytes).toBeLessThan(50_000_000);
  });

  it("no process is left", async () => {
    expect(browserProcesses(MARK)).not.toEqual([]);
    await scanner.stop();
    await expect.poll(() => browserProcesses(MARK)).toEqual([]);
  });
});

function someOf(slow: boolean, count: number): string[] {
  const all = Object.keys(hostilePages).filter((name) => slowPages.has(name) === slow);
  return shuffled(all, seeded(SEED)).slice(0, repetitions(count, all.length));
}

function allPages(): Record<string, Page> {
  const pages = { ...healthyPages };
  for (const [name, { page, parts = {} }] of Object.entries(hostilePages)) {
    pages[pathOf(name)] = page;
    for (const [path, part] of Object.entries(parts)) pages[pathOf(name) + path.slice(1)] = part;
  }
  return pages;
}

function expectOutcome(result: PageResult, { violations, gaps, partial, orElse }: Expected) {
  if (result.status === "failed" && orElse.includes(result.reason)) return;
  const page = expectChecked(result);
  if (!partial) expect(page.partial).toEqual([]);
  if (page.partial.length === 0) expect(violationsOf(page)).toEqual(expect.arrayContaining(violations));
  expect(page.gaps).toMatchObject(gaps);
}

/** The whole result of a check, without times and addresses. */
function findingsOf(result: PageResult): Pick<CheckedPage, "title" | "partial" | "gaps" | "findings"> {
  const { title, partial, gaps, findings } = expectChecked(result);
  return { title, partial, gaps, findings };
}

interface Footprint {
  processes: number;
  browserBytes: number;
  ownBytes: number;
}

function footprint(): Footprint {
  const running = browserProcesses(MARK);
  return {
    processes: running.length,
    browserBytes: privateMemory(running.map(({ pid }) => pid)),
    ownBytes: usedMemory(),
  };
}

function usedMemory(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
