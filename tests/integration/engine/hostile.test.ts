import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { privateMemory } from "~/scan/browser/memory";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import type { CheckedPage, PageResult, Scanner } from "~/scan/types";
import type { Expected, HostilePages } from "../../support/scan/hostile/kinds";
import { hostilePages, slowPages, usedPages } from "../../support/scan/hostile-pages";
import { repetitions } from "../../support/repetitions";
import { browserProcesses } from "../../support/servers/processes";
import { expectChecked, reasonOf, testScanner, violationsOf, WCAG22AA } from "../../support/scan/scanner";
import { HOSTILE_SEED } from "../../support/scan/hostile-seed";
import { seeded, shuffled } from "../../support/seeded";
import { openSite, pageWith, type Page, type Site } from "../../support/scan/site";

/** Time budget on a machine that also checks other hostile pages. */
const PAGE_SECONDS = 24;

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

/** Pages for each part of the interaction: focus loss, a disclosure, a dead control, a hint, a form that shows errors by colour only. */
const usablePages: Record<string, Page> = {
  "/usable/parts/": pageWith(
    `<button type="button" id="lost" onfocus="this.blur()">Lost</button><button type="button" aria-expanded="false" onclick="panel.hidden = !panel.hidden; this.ariaExpanded = String(!panel.hidden)">Menu</button><div id="panel" hidden><p>Trains</p><img id="within" src="data:,"></div>
     <div role="button" tabindex="0" id="dead">Add</div><output id="sum">0</output><script>dead.addEventListener("click", () => { sum.value = Number(sum.value) + 1 })</script>`,
  ),
  "/usable/form/": pageWith(
    `<style>#tip { display: none; position: absolute } #hint:hover + #tip { display: block }</style><button type="button" id="hint">Fares</button><div id="tip">All fares are in euros</div><p>Below</p>
     <form id="form" novalidate><p><label>Place * <input id="place" required></label></p><button>Show</button></form><script>form.onsubmit = (event) => { event.preventDefault(); place.style.borderColor = "#c00" }</script>`,
  ),
};

interface Series {
  what: string;
  advanced: boolean;
  pages: HostilePages;
  /** Names of the visited pages. */
  names: string[];
  healthyPages: Record<string, Page>;
  /** Paths of healthy pages, visited between the others. */
  healthy: string[];
  /** Violations of the healthy pages, among others. */
  known: string[];
  mostHeldUp: number;
}

/** Few slow pages and many quick ones, a different selection in each run; the long run has all. */
const SERIES: Series[] = [
  {
    what: "hostile pages",
    advanced: false,
    pages: hostilePages,
    names: [...someOf(hostilePages, 3, (name) => slowPages.has(name)), ...someOf(hostilePages, 23, (name) => !slowPages.has(name))],
    healthyPages,
    healthy: ["/healthy/plain/", "/healthy/scripted/", "/healthy/composed/"],
    known: ["image-alt #bare", "color-contrast p", "label input"],
    mostHeldUp: 3,
  },
  {
    what: "pages that are hostile to their use",
    advanced: true,
    pages: usedPages,
    names: someOf(usedPages, 3),
    healthyPages: usablePages,
    healthy: Object.keys(usablePages),
    known: ["image-alt #bare", "image-alt #within", "rampe-focus-removed #lost", "rampe-activation-keys #dead", "rampe-error-in-text #place"],
    mostHeldUp: repetitions(3, 32),
  },
];
const pathOf = (name: string) => `/${name.replace(/[^a-z\d]+/gi, "-")}/`;

describe.each(SERIES)(`$what between healthy ones on one scanner (HOSTILE_SEED=${HOSTILE_SEED})`, ({ advanced, pages, names, healthyPages, healthy: HEALTHY, known, mostHeldUp }) => {
  const mark = `Rampe/hostile-${advanced ? "use-" : ""}${process.pid}`;
  const results = new Map<string, PageResult>();
  const healthy: { after: string; path: string; result: PageResult }[] = [];
  const fresh = new Map<string, PageResult>();
  let site: Site;
  let scanner: Scanner;
  let before: Footprint;

  beforeAll(async () => {
    site = await openSite({ ...healthyPages, ...allPages(pages) });
    await checkOnFreshScanner();
    scanner = testScanner({
      ...options,
      pageSeconds: PAGE_SECONDS,
      bytesPerPage: 700_000_000,
      userAgent: `Mozilla/5.0 (compatible; ${mark})`,
    });
    if (!advanced) for (const path of HEALTHY) await check(path);
    for (const path of HEALTHY) await check(path);
    // Closed processes end a moment later.
    await delay(3_000);
    before = footprint(mark);
    await checkAll();
    for (const path of HEALTHY) healthy.push({ after: "all", path, result: await checkWhole(path) });
  });

  afterAll(async () => {
    await scanner.stop();
    await site.close();
  });

  const options = { ruleTexts: { ...texts, criteria } };
  const check = (path: string, by = scanner) => by.check({ url: site.url(path), standard: WCAG22AA, advanced });

  async function checkOnFreshScanner() {
    for (const path of HEALTHY) {
      const other = testScanner({ ...options, pageSeconds: PAGE_SECONDS });
      fresh.set(path, await checkWhole(path, other));
      await other.stop();
    }
  }

  /** Checks the maximum number of pages at once, so that each has different neighbours. */
  async function checkAll() {
    const queue = shuffled(names, seeded(HOSTILE_SEED));
    let turn = 0;
    const work = async () => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
        results.set(name, await check(pathOf(name)));
        const path = HEALTHY[turn++ % HEALTHY.length]!;
        healthy.push({ after: name, path, result: await check(path) });
      }
    };
    await Promise.all([work(), work()]);
    // A page may run out of time, and report it, beside an endless page, but not alone.
    for (const name of names.filter(wasHeldUp)) results.set(name, await check(pathOf(name)));
    const heldUp = healthy.filter(({ result }) => saysHeldUp(result));
    expect(heldUp.length, "healthy pages that were held up").toBeLessThanOrEqual(mostHeldUp);
    for (const each of heldUp) each.result = await checkWhole(each.path);
  }

  /** Repeats a check that other programs have delayed. */
  async function checkWhole(path: string, by = scanner, tries = 5): Promise<PageResult> {
    const result = await check(path, by);
    return saysHeldUp(result) && tries > 1 ? checkWhole(path, by, tries - 1) : result;
  }

  function saysHeldUp(result: PageResult): boolean {
    if (result.status === "failed") return result.reason === "timeout";
    return result.gaps.unfinished || result.gaps.late.includes("unwatched") || (advanced && result.partial.length > 0);
  }

  function wasHeldUp(name: string): boolean {
    const { outcome } = pages[name]!;
    const result = results.get(name)!;
    if (Array.isArray(outcome)) return false;
    if (result.status === "failed") return result.reason === "timeout" && !outcome.orElse.includes("timeout");
    return result.gaps.unfinished && outcome.gaps.unfinished === false;
  }

  it.each(names)("%s", (name) => {
    const result = results.get(name)!;
    const { outcome } = pages[name]!;
    if (Array.isArray(outcome)) expect(outcome).toContain(reasonOf(result));
    else expectOutcome(result, outcome);
    expect(result.durationMs).toBeLessThan(PAGE_SECONDS * 1_000 + 1_000);
  });

  it("every healthy page has its exact result", () => {
    expect([...fresh.values()].flatMap(violationsOf)).toEqual(expect.arrayContaining(known));
    expect([...fresh.values()].filter(saysHeldUp)).toEqual([]);
    expect(healthy.length).toBeGreaterThan(names.length);
    for (const { after, path, result } of healthy)
      expect(findingsOf(result), `${path} after: ${after}`).toEqual(findingsOf(fresh.get(path)!));
  });

  it("nothing was sent while pages were used", () => {
    expect(site.requests.filter((path) => path.startsWith("/out"))).toEqual([]);
  });

  it("the memory of the browser and of this process returns to its level", async () => {
    await expect.poll(() => footprint(mark).processes).toBeLessThanOrEqual(before.processes + 1);
    await expect.poll(() => footprint(mark).browserBytes - before.browserBytes).toBeLessThan(250_000_000);
    await expect.poll(() => footprint(mark).ownBytes - before.ownBytes).toBeLessThan(50_000_000);
  });

  it("no process is left", async () => {
    expect(browserProcesses(mark)).not.toEqual([]);
    await scanner.stop();
    await expect.poll(() => browserProcesses(mark)).toEqual([]);
  });
});

test("every slow page is one of the hostile pages", () => {
  expect(Object.keys(hostilePages)).toEqual(expect.arrayContaining([...slowPages]));
});

function someOf(pages: HostilePages, count: number, isWanted: (name: string) => boolean = () => true): string[] {
  const all = Object.keys(pages).filter(isWanted);
  return shuffled(all, seeded(HOSTILE_SEED)).slice(0, repetitions(count, all.length));
}

function allPages(pages: HostilePages): Record<string, Page> {
  const all: Record<string, Page> = {};
  for (const [name, { page, parts = {} }] of Object.entries(pages)) {
    all[pathOf(name)] = page;
    for (const [path, part] of Object.entries(parts)) all[pathOf(name) + path.slice(1)] = part;
  }
  return all;
}

function expectOutcome(result: PageResult, { violations, gaps, partial, untried, orElse }: Expected) {
  if (result.status === "failed" && orElse.includes(result.reason)) return;
  const page = expectChecked(result);
  if (!partial) expect(page.partial).toEqual([]);
  expect(page.partial).toEqual(expect.arrayContaining(untried));
  // Results of the interaction cannot change the page's analysis.
  const certain = violations.filter((each) => page.partial.length === 0 || (page.gaps.offline !== undefined && !page.partial.includes(each.split(" ")[0] ?? "")));
  expect(violationsOf(page)).toEqual(expect.arrayContaining(certain));
  expect(page.gaps).toMatchObject(gaps);
}

/** Complete result of a check, without times and addresses. */
function findingsOf(result: PageResult): Pick<CheckedPage, "title" | "partial" | "gaps" | "findings"> {
  const { title, partial, gaps, findings } = expectChecked(result);
  return { title, partial, gaps, findings };
}

interface Footprint {
  processes: number;
  browserBytes: number;
  ownBytes: number;
}

function footprint(mark: string): Footprint {
  const running = browserProcesses(mark);
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
