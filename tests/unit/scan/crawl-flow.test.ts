import type * as Timers from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { noFacts, type CrawlFacts } from "~/scan/crawl/facts";
import { pageKey } from "~/scan/crawl/addresses/address";
import type { RememberedAddress } from "~/scan/crawl/store";
import { crawlText } from "~/reports/exports/crawl-text";
import type { PageResult } from "~/scan/types";
import { absolute, crawled, numbered, ORIGIN, type FoundPage } from "../../support/scan/fake-crawl";

// Fake timers do not control `node:timers/promises`.
vi.mock("node:timers/promises", async (original) => ({
  ...(await original<typeof Timers>()),
  setTimeout: (ms: number) => new Promise<void>((resolve) => void globalThis.setTimeout(resolve, ms)),
}));

const all = (paths: string[], found: FoundPage) => Object.fromEntries(paths.map((path) => [path, found]));
const sorted = (texts: string[]) => [...texts].sort();

/** Runs a crawl with fake timers: its pauses take no real time. */
async function atOnce<T>(begin: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
  try {
    const ending = begin();
    let isOver = false;
    ending.finally(() => (isOver = true)).catch(() => {});
    while (!isOver) await vi.advanceTimersByTimeAsync(100);
    return await ending;
  } finally {
    vi.useRealTimers();
  }
}

describe("a crawl does not end early, and reports why it ended", () => {
  test("documents that are not pages do not use up the page limit", async () => {
    const files = [..."abcdefghijkl"].map((letter) => `/get-${letter}`);
    const pages = numbered(6, "/real/");
    const { outcomes, facts } = await crawled({
      maxPages: 4,
      pages: { "/": { links: [...files, ...pages] }, ...all(files, { fails: "not_html" }), ...all(pages, {}) },
    });
    expect(outcomes.filter((outcome) => outcome.endsWith("succeeded"))).toHaveLength(4);
    expect(facts).toMatchObject({ pages: 4, limited: true });
  });

  test("after too many documents that are not pages, it stops and reports that", async () => {
    const files = numbered(150, "/get/a");
    const { facts } = await crawled({
      maxPages: 4,
      pages: { "/": { links: files }, ...all(files, { fails: "not_html" }) },
    });
    expect(facts).toMatchObject({ pages: 1, waiting: 51, limited: true, stopped: false });
    expect(crawlText(facts, `${ORIGIN}/`)).toContain("Stopped at 1 of at most 4 pages");
    expect(crawlText(facts, `${ORIGIN}/`)).toContain("51 more addresses were known");
  });

  test("when no further page may start, it does not wait for sitemaps, and reports that", { timeout: 2_000 }, async () => {
    const slow = (signal?: AbortSignal) =>
      new Promise<string>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
    const { outcomes, facts } = await crawled({
      maxPages: 1,
      pages: { "/": {} },
      files: { "/sitemap.xml": slow },
    });
    expect(outcomes).toEqual(["/ succeeded"]);
    expect(facts).toMatchObject({ pages: 1, limited: true });
    expect(crawlText(facts, `${ORIGIN}/`)).toContain("sitemaps");
  });
});

test("the items on all pages of a list are found, although these pages count as one", async () => {
  const list = (part: number): FoundPage => ({
    canonical: "/list",
    links: [`/item/a${part}`, `/item/b${part}`, ...(part < 4 ? [`/list?page=${part + 1}`] : [])],
  });
  const items = [1, 2, 3, 4].flatMap((part) => [`/item/a${part}`, `/item/b${part}`]);
  const { outcomes, facts } = await crawled({
    pages: {
      "/": { links: ["/list"] },
      "/list": list(1),
      "/list?page=2": list(2),
      "/list?page=3": list(3),
      "/list?page=4": list(4),
      ...all(items, {}),
    },
  });
  expect(sorted(outcomes)).toEqual(sorted(["/", "/list", ...items].map((path) => `${path} succeeded`)));
  expect(facts.skipped.duplicate).toBe(3);
});

test("a page in the sitemap is visited, whatever its extension", async () => {
  const urls = ["/wiki/Node.js", "/docs/package.json"];
  const entries = urls.map((url) => `<url><loc>${absolute(url)}</loc></url>`);
  const { outcomes } = await crawled({
    pages: { "/": { links: ["/style.css", ...urls] }, ...all(urls, {}) },
    files: { "/sitemap.xml": `<urlset>${entries.join("")}</urlset>` },
  });
  expect(sorted(outcomes)).toEqual(["/ succeeded", "/docs/package.json succeeded", "/wiki/Node.js succeeded"]);
});

describe("a user can limit a crawl", () => {
  const pages = {
    "/": { links: ["/shop", "/shop/a", "/shopping", "/door"] },
    "/shop": { links: ["/only-from-shop"] },
    "/shop/a": {},
    "/shopping": {},
    "/door": { to: "/shop/b", links: ["/only-from-shop"] },
    "/only-from-shop": {},
  };

  test("excluded paths are not checked but counted, also if a redirect or the sitemap leads there", async () => {
    const { outcomes, facts, visited } = await crawled({
      request: { excludedPaths: ["/shop/"] },
      pages,
      files: { "/sitemap.xml": `<urlset><url><loc>${ORIGIN}/shop/c</loc></url></urlset>` },
    });
    expect(outcomes).toEqual(["/ succeeded", "/shopping succeeded"]);
    expect(visited).toEqual(["/", "/shopping", "/door"]);
    expect(facts.skipped.excluded).toBe(4);
    expect(facts).toMatchObject({ pages: 2, known: 2, waiting: 0, limited: false });
  });

  test("the start page is visited even if it is excluded, and its links are followed", async () => {
    const { outcomes } = await crawled({ request: { url: `${ORIGIN}/shop`, excludedPaths: ["/shop"] }, pages });
    expect(outcomes).toEqual(["/shop succeeded", "/only-from-shop succeeded"]);
  });

  test("without excluded pages, the report does not mention any", async () => {
    const { facts } = await crawled({ pages });
    expect(facts.skipped).not.toHaveProperty("excluded");
  });

  test.each([
    ["to fewer pages than the installation allows", 2, 50, 2],
    ["but not to more pages than the installation allows", 50, 2, 2],
  ])("%s", async (_promise, requested, allowed, most) => {
    const { outcomes, facts } = await crawled({ request: { maxPages: requested }, maxPages: allowed, pages });
    expect(outcomes).toHaveLength(most);
    expect(facts).toMatchObject({ maxPages: most, limited: true });
  });
});

describe("robots.txt", () => {
  test("links of a disallowed page are not followed", async () => {
    const { outcomes, visited } = await crawled({
      pages: { "/": { links: ["/go"] }, "/go": { to: "/private/x", links: ["/secret-child"] }, "/secret-child": {} },
      files: { "/robots.txt": "User-agent: *\nDisallow: /private" },
    });
    expect(outcomes).toEqual(["/ succeeded", "/go robots"]);
    expect(visited).not.toContain("/secret-child");
  });

  test("links of a disallowed page on a new origin are not followed", async () => {
    const { outcomes, visited } = await crawled({
      pages: {
        "/": { links: ["/go"] },
        "/go": { to: "https://www.example.com/private", links: ["/secret-child"] },
        "/secret-child": {},
      },
      files: { "https://www.example.com/robots.txt": "User-agent: *\nDisallow: /private" },
    });
    expect(outcomes).toEqual(["/ succeeded", "/go robots"]);
    expect(visited).not.toContain("/secret-child");
  });

  test("the links of a page are saved before its result, even if robots.txt answers late", async () => {
    const steps: string[] = [];
    const late = () => new Promise<string>((resolve) => setTimeout(() => resolve(""), 50));
    await crawled({
      pages: { "/": { to: "https://www.example.com/", links: ["/a"] }, "/a": {} },
      files: { "https://www.example.com/robots.txt": late },
      store: {
        found: async (addresses) => void steps.push(...addresses.map(({ url }) => `found ${url.replace(ORIGIN, "")}`)),
        page: async ({ url }) => void steps.push(`page ${url.replace(ORIGIN, "")}`),
      },
    });
    expect(steps).toEqual(["found /", "found /a", "page /", "page /a"]);
  });

  test("after a restart, the canonical address of a checked page is not visited", async () => {
    const pages = { "/": { links: ["/list?colour=red"] }, "/list?colour=red": { canonical: "/list" }, "/list": {} };
    const kept: RememberedAddress[] = [];
    let known: CrawlFacts | undefined;
    await crawled({
      pages,
      maxPages: 2,
      store: {
        page: async (address, { finalUrl }, facts, canonical) => {
          kept.push({ address, isDone: true, crashes: 0, finalUrl: finalUrl ?? null, canonical: canonical ?? null });
          known = facts;
        },
      },
    });
    const list = { url: absolute("/list"), key: pageKey(absolute("/list")), depth: 1, chain: 0, source: "link", linkedFrom: null } as const;
    const addresses: RememberedAddress[] = [...kept, { address: list, isDone: false, crashes: 0, finalUrl: null, canonical: null }];
    const { visited } = await crawled({ pages, store: { load: async () => ({ addresses, facts: known! }) } });
    expect(visited).toEqual([]);
  });

  test("all of thousands of disallowed pages are counted, and the first ones are listed", async () => {
    const listed: string[] = [];
    const others: string[] = [];
    let turns = 0;
    // Not a timer, whose turns would depend on the speed of the machine.
    const beat = () => {
      turns += 1;
      next = setImmediate(beat);
    };
    let next = setImmediate(beat);
    onTestFinished(() => clearImmediate(next));
    const { facts } = await crawled({
      maxPages: 3,
      pages: { "/": { links: numbered(3_000, "/p/x") } },
      files: { "/robots.txt": "User-agent: *\nDisallow: /p" },
      store: {
        disallowed: async (pages, addresses) => {
          listed.push(...pages.map(({ address }) => address.key));
          expect(addresses.length).toBeLessThanOrEqual(500);
          others.push(...addresses.map(({ key }) => key));
        },
      },
    });
    expect(facts).toMatchObject({ disallowed: 3_000, pages: 1, waiting: 0, limited: false });
    expect(new Set(listed).size).toBe(100);
    // After a restart, the others must not be visited.
    expect(new Set(others).size).toBe(2_900);
    // The server has other tasks meanwhile.
    expect(turns).toBeGreaterThan(20);
    expect(crawlText(facts, `${ORIGIN}/`)).toContain("3000 more that robots.txt does not allow, the first 100 of them listed");
  });

  test("the Crawl-delay of the origin that the site redirects to is obeyed", async () => {
    const www = "https://www.example.com";
    const { visits, facts } = await atOnce(() =>
      crawled({
        pages: { "/": { to: `${www}/`, links: [`${www}/a`, `${www}/b`] }, [`${www}/a`]: {}, [`${www}/b`]: {} },
        files: { [`${www}/robots.txt`]: "User-agent: *\nCrawl-delay: 2" },
      }),
    );
    const gaps = visits.slice(1).map(({ at }, index) => at - (visits[index]?.at ?? 0));
    expect(gaps).toHaveLength(2);
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(2_000);
    expect(facts.crawlDelayMs).toBe(2_000);
  });
});

describe("a crawl with a time limit", () => {
  const pages = { "/": { links: ["/a", "/b", "/c", "/d"] }, ...all(["/a", "/b", "/c", "/d"], {}) };
  const files = { "/robots.txt": "User-agent: *\nCrawl-delay: 60" };

  test("ends with the results so far, and reports that", async () => {
    const { facts } = await atOnce(() => crawled({ pages, files, mostMinutes: 2 }));
    expect(facts).toMatchObject({ timeLimit: 2, limited: false, stopped: false });
    expect(facts.pages).toBeGreaterThanOrEqual(2);
    expect(facts.pages).toBeLessThan(5);
    expect(facts.pages + facts.waiting).toBe(5);
    expect(crawlText(facts, `${ORIGIN}/`)).toContain(`Stopped after 2 minutes, the most allowed; ${facts.waiting} known addresses`);
  });

  test.each([[119_000, 4], [30_000, 3]])("counts the time before a restart too, but not the pause: %i ms of work", async (workedMs, waiting) => {
    let known: CrawlFacts | undefined;
    await atOnce(() => crawled({ pages, files, maxPages: 1, store: { page: async (_address, _page, facts) => void (known ??= facts) } }));
    expect(known?.workedMs).toBeGreaterThanOrEqual(0);
    const start = { address: { url: `${ORIGIN}/`, key: "start", depth: 0, chain: 0, source: "start" as const, linkedFrom: null }, isDone: false, crashes: 0, finalUrl: null, canonical: null };
    const load = async () => ({ addresses: [start], facts: { ...known!, pages: 0, workedMs } });
    const { facts } = await atOnce(() => crawled({ pages, files, mostMinutes: 2, store: { load } }));
    expect(facts).toMatchObject({ timeLimit: 2, waiting });
    expect(facts.workedMs).toBeUndefined();
  });

  test("in a session of the user leaves out links that end it", async () => {
    const links = ["/a", "/logout", "/konto/abmelden?token=1", "/wp-login.php?action=logout&_wpnonce=2", "/log-out-of-habits", "/sign_out.php"];
    const access = { kind: "cookie" as const, cookie: "session=1", origin: ORIGIN };
    const site = { "/": { links }, ...all(links, {}) };
    const { visited, facts } = await crawled({ pages: site, request: { access } });
    expect(visited.sort()).toEqual(["/", "/a", "/log-out-of-habits"]);
    // This number is for paths that the user excluded.
    expect(facts.skipped.excluded).toBeUndefined();
    expect((await crawled({ pages: site })).visited).toHaveLength(7);
  });

  test("reports when it waits for the site, so that other scans can run", async () => {
    const idle: number[] = [];
    const onWait = () => {
      const since = Date.now();
      return () => void idle.push(Date.now() - since);
    };
    const { facts } = await atOnce(() => crawled({ pages, files, mostMinutes: 0, request: { onWait } }));
    expect([facts.pages, facts.timeLimit]).toEqual([5, undefined]);
    expect(idle.filter((ms) => ms > 50_000)).toHaveLength(4);
  });
});

test("pages visited during a crash are visited alone, after all others, and do not use up the page limit", async () => {
  const address = (path: string) => ({ url: absolute(path), key: pageKey(absolute(path)), depth: 1, chain: 0, source: "link" as const, linkedFrom: null });
  const remembered = (path: string, crashes: number): RememberedAddress => ({ address: address(path), isDone: false, crashes, finalUrl: null, canonical: null });
  const addresses = [remembered("/suspect", 1), remembered("/deadly", 30), remembered("/a", 0), remembered("/b", 0), remembered("/twice", 29)];
  const begun: string[] = [];
  const { outcomes, visits } = await crawled({
    maxPages: 4,
    pages: all(["/suspect", "/deadly", "/a", "/b", "/twice"], {}),
    store: {
      load: async () => ({ addresses, facts: noFacts(4) }),
      begin: async ({ url }, alone) => void begun.push(`${url.replace(ORIGIN, "")} ${alone}`),
    },
  });
  expect(outcomes).toEqual(["/deadly crashed", "/a succeeded", "/suspect succeeded", "/twice succeeded"]);
  expect(visits.map(({ path, alone }) => `${path} ${alone}`)).toEqual(["/a false", "/suspect true", "/twice true"]);
  expect(begun).toEqual(["/a false", "/suspect true", "/twice true"]);
});

describe("a site without an answer", () => {
  test("is given up like one with errors, also if errors and missing answers alternate", async () => {
    let asked = 0;
    const broken = (): FoundPage =>
      (asked += 1) % 2 ? { fails: "http_status", detail: { httpStatus: 503 } } : { fails: "refused" };
    const paths = numbered(40, "/x/y");
    const { facts, visits } = await atOnce(() =>
      crawled({ pages: { "/": { links: paths }, ...Object.fromEntries(paths.map((path) => [path, broken])) } }),
    );
    expect(facts.stopped).toBe(true);
    expect(visits.length).toBeLessThan(16);
    expect(crawlText(facts, `${ORIGIN}/`)).toContain("errors only, or no answer");
  });

  test.each(["refused", "timeout"] as const)("is tried once more, then the page fails: %s", async (fails) => {
    const { outcomes, visited } = await atOnce(() =>
      crawled({ pages: { "/": { links: ["/dead", "/a"] }, "/dead": { fails }, "/a": {} } }),
    );
    expect(sorted(outcomes)).toEqual(["/ succeeded", "/a succeeded", `/dead ${fails}`]);
    expect(visited.filter((path) => path === "/dead")).toHaveLength(2);
  });

  test("does not mean a site whose pages take too long to analyse", async () => {
    const paths = numbered(15, "/heavy/y");
    const { facts, visited } = await crawled({
      pages: { "/": { links: paths }, ...all(paths, { fails: "timeout", late: true }) },
    });
    expect(facts).toMatchObject({ pages: 16, stopped: false });
    expect(visited).toHaveLength(16);
  });
});

describe("the report names the address that a page led to", () => {
  test("a page behind a sign-in is not checked, but a linked sign-in page is", async () => {
    const results: PageResult[] = [];
    const { outcomes } = await crawled({
      pages: {
        "/": { links: ["/account", "/orders", "/login"] },
        "/account": { to: "/login?returnTo=/account", fails: "login_required" },
        "/orders": { to: "https://id.example.org/authorize", fails: "login_required" },
        "/login": {},
      },
      store: { page: async (_address, result) => void results.push(result) },
    });
    expect(outcomes).toEqual([]);
    expect(results).toHaveLength(4);
    expect(results.find(({ url }) => url === absolute("/account"))).toMatchObject({
      status: "failed",
      reason: "login_required",
      finalUrl: absolute("/login?returnTo=/account"),
      linkedFrom: absolute("/"),
    });
    expect(results.find(({ url }) => url === absolute("/orders"))).toMatchObject({ reason: "login_required" });
    expect(results.find(({ url }) => url === absolute("/login"))).toMatchObject({ status: "succeeded" });
  });

  test("a failed page names the first page that links to it", async () => {
    const results = new Map<string, PageResult>();
    await crawled({
      pages: { "/": { links: ["/a", "/b"] }, "/a": { links: ["/gone"] }, "/b": { links: ["/gone"] } },
      store: { page: async (address, result) => void results.set(address.url, result) },
    });
    expect(results.get(absolute("/gone"))).toMatchObject({ reason: "http_status", linkedFrom: absolute("/a") });
    expect(results.get(absolute("/"))?.linkedFrom).toBeUndefined();
  });

  test("a failed page without links to it names the sitemap that lists it", async () => {
    const results = new Map<string, PageResult>();
    await crawled({
      pages: { "/": {} },
      files: { "/sitemap.xml": `<urlset><url><loc>${ORIGIN}/gone</loc></url></urlset>` },
      store: { page: async (address, result) => void results.set(address.url, result) },
    });
    expect(results.get(absolute("/gone"))).toMatchObject({ reason: "http_status", linkedFrom: absolute("/sitemap.xml") });
  });

  test("an address that leads to another site is not a page of this one, and is reported with its target", async () => {
    const { outcomes, facts } = await crawled({
      pages: {
        "/": { links: ["/partner", "/dead-partner"] },
        "/partner": { to: "https://partner.example/" },
        "/dead-partner": { to: "https://dead.example/", fails: "dns" },
      },
    });
    expect(outcomes).toEqual(["/ succeeded"]);
    const [one, other] = ["/partner", "/dead-partner"].map(absolute);
    const linkedFrom = absolute("/");
    expect(facts).toMatchObject({ pages: 1, skipped: { elsewhere: 2 } });
    expect(sorted((facts.elsewhere ?? []).map((each) => JSON.stringify(each)))).toEqual(
      sorted([
        JSON.stringify({ url: one, finalUrl: "https://partner.example/", linkedFrom }),
        JSON.stringify({ url: other, finalUrl: "https://dead.example/", linkedFrom }),
      ]),
    );
    expect(crawlText(facts, absolute("/"))).toContain(
      `Not checked: ${one} led to another site: https://partner.example/; linked from ${linkedFrom}`,
    );
  });

  test("of very many addresses that lead to another site, the first are listed and all are counted", async () => {
    const many = numbered(60, "/out/");
    const { facts } = await crawled({
      maxPages: 60,
      pages: { "/": { links: many }, ...all(many, { to: "https://partner.example/" }) },
    });
    expect(facts.skipped.elsewhere).toBe(60);
    expect(facts.elsewhere).toHaveLength(50);
  });
});
