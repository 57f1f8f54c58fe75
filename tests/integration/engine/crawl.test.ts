import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createAddressPolicy } from "~/scan/network/address-policy";
import { crawl } from "~/scan/crawl/crawl";
import { createHostThrottles } from "~/scan/crawl/host-throttle";
import { createSiteFetch } from "~/scan/crawl/site-fetch";
import type { CrawlFacts } from "~/scan/crawl/facts";
import { passingStore } from "~/scan/crawl/store";
import type { PageResult } from "~/scan/types";
import { reasonOf, testScanner, WCAG22AA } from "../../support/scan/scanner";
import { openSite, type Handler, type Page } from "../../support/scan/site";

const USER_AGENT = "Mozilla/5.0 (compatible; Rampe/test; +http://rampe.test)";
const scanner = testScanner({ userAgent: USER_AGENT, concurrency: 3 });
afterAll(() => scanner.stop());

interface Crawled {
  /** `path reason` or `path succeeded`, in the order of the results. */
  outcomes: string[];
  results: PageResult[];
  facts: CrawlFacts;
  /** Path and query of each request, without sub-resources. */
  requests: string[];
}

interface Options {
  start?: string;
  maxPages?: number;
  pages: Record<string, Page>;
  /** Answers paths that are not in `pages`. */
  other?: Handler;
}

/** Serves a site from loopback and crawls it. */
async function crawled({ start = "/", maxPages = 50, pages, other }: Options): Promise<Crawled> {
  const requests: string[] = [];
  const counted = (page: Page): Handler => {
    return (request, response) => {
      requests.push(request.url ?? "");
      if (typeof page === "function") return page(request, response);
      const { status = 200, headers = {}, body = "" } = typeof page === "string" ? { body: page } : page;
      response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
    };
  };
  const known = Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, counted(page)]));
  const site = await openSite(
    other ? new Proxy(known, { get: (target, path: string) => target[path] ?? counted(other) }) : known,
  );
  onTestFinished(() => site.close());
  const allowPrivate = ["127.0.0.1/32", "localhost"];
  const results: PageResult[] = [];
  const facts = await crawl(
    { url: site.url(start), standard: WCAG22AA },
    passingStore((result) => results.push(result)),
    {
      scanner,
      fetch: createSiteFetch({ policy: createAddressPolicy(allowPrivate), userAgent: USER_AGENT }),
      throttles: createHostThrottles(),
      userAgent: USER_AGENT,
      maxPages,
    },
  );
  const pathOf = (url: string) => url.replace(site.origin, "");
  return {
    outcomes: results.map((result) => `${pathOf(result.url)} ${reasonOf(result)}`),
    results,
    facts,
    requests,
  };
}

const page = (links: string[] = [], head = "") =>
  `<!doctype html><html lang="en"><head><title>Page</title>${head}</head><body><main><h1>Heading</h1>` +
  `${links.map((link) => `<p><a href="${link}">To ${link}</a></p>`).join("")}</main></body></html>`;

const checked = (...paths: string[]) => paths.map((path) => `${path} succeeded`).sort();
const sorted = (outcomes: string[]) => [...outcomes].sort();

describe("pages are found", () => {
  test("by links, each page once, despite different addresses", async () => {
    const { outcomes, requests } = await crawled({
      pages: {
        "/": page(["/a", "/a#part", "/a/", "/a?utm_source=x", "/b?x=1&y=2", "/b?y=2&x=1", "mailto:a@b.c", "#top"]),
        "/a": page(["/", "/index.html", "/c;jsessionid=ABC123", "/list?sort=price", "/list", "/list?sort=name"]),
        "/b": page(),
        "/c": page(),
        "/list": page(),
      },
    });
    expect(outcomes.map((outcome) => outcome.replace(/\?\S*/, "")).sort()).toEqual(
      checked("/", "/a", "/b", "/c", "/list"),
    );
    const visits = requests.filter((path) => !/robots|sitemap|favicon/.test(path));
    expect(visits).toHaveLength(5);
    expect(visits.join(" ")).not.toMatch(/utm_|jsessionid/);
  });

  test("by links made by scripts and in open shadow roots", async () => {
    const { outcomes } = await crawled({
      pages: {
        "/": page([], "").replace(
          "</main>",
          `<div id="host"></div><script>
             document.getElementById("host").attachShadow({ mode: "open" }).innerHTML = '<a href="/shadow">Shadow</a>';
             setTimeout(() => document.querySelector("main").insertAdjacentHTML("beforeend", '<a href="/late">Late</a>'), 50);
           </script><svg role="img" aria-label="Map"><a href="/svg"><text y="20">Drawn</text></a></svg></main>`,
        ),
        "/shadow": page(),
        "/late": page(),
        "/svg": page(),
      },
    });
    expect(sorted(outcomes)).toEqual(checked("/", "/late", "/shadow", "/svg"));
  });

  test("by the frames of a frameset", async () => {
    const { outcomes } = await crawled({
      pages: {
        "/":
          '<!doctype html><html lang="en"><head><title>Old</title></head><frameset cols="20%,80%">' +
          '<frame src="/nav" title="Menu"><frame src="/main" title="Text"></frameset></html>',
        "/nav": page(["/a", "/b"]),
        "/main": page(),
        "/a": page(),
        "/b": page(),
      },
    });
    expect(sorted(outcomes)).toEqual(checked("/", "/a", "/b", "/main", "/nav"));
  });

  test("by sitemaps: named in robots.txt, indexes, gzip, text", async () => {
    const urlset = (...urls: string[]) =>
      `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
        .map((url) => `<url><loc>${url}</loc></url>`)
        .join("")}</urlset>`;
    const xml = { "content-type": "application/xml" };
    const originOf = (request: { headers: { host?: string } }) => `http://${request.headers.host}`;
    const { outcomes, facts } = await crawled({
      pages: {
        "/": page(),
        "/robots.txt": (request, response) =>
          void response
            .writeHead(200, { "content-type": "text/plain" })
            .end(`User-agent: *\nDisallow:\nSitemap: ${originOf(request)}/maps/index.xml\n`),
        "/maps/index.xml": (request, response) => {
          const maps = ["one.xml.gz", "two.txt", "missing.xml"].map(
            (name) => `<sitemap><loc>${originOf(request)}/maps/${name}</loc></sitemap>`,
          );
          response.writeHead(200, xml).end(`<sitemapindex>${maps.join("")}</sitemapindex>`);
        },
        "/maps/one.xml.gz": (request, response) =>
          void response
            .writeHead(200, { "content-type": "application/gzip" })
            .end(gzipSync(urlset(`${originOf(request)}/from-gzip`, "https://elsewhere.example/x"))),
        "/maps/two.txt": (request, response) =>
          void response.writeHead(200, { "content-type": "text/plain" }).end(`${originOf(request)}/from-text\n`),
        "/sitemap.xml": (request, response) =>
          void response.writeHead(200, xml).end(urlset(`${originOf(request)}/from-default`)),
        "/from-gzip": page(),
        "/from-text": page(),
        "/from-default": page(),
      },
    });
    expect(sorted(outcomes)).toEqual(checked("/", "/from-default", "/from-gzip", "/from-text"));
    expect(facts.sitemaps).toMatchObject({ urls: 3, cut: false });
    expect(facts.sitemaps?.problems.map(({ url }) => url.replace(/.*\//, ""))).toEqual(["missing.xml"]);
  });

  test("by canonical addresses; variants of a page count as that page", async () => {
    const { outcomes, facts } = await crawled({
      pages: {
        "/": page(["/shoe?colour=red", "/shoe?colour=blue", "/old"]),
        "/shoe": page([], '<link rel="canonical" href="/shoe">'),
        "/old": page([], '<link rel="canonical" href="/new">'),
        "/new": page(),
      },
    });
    expect(outcomes.map((outcome) => outcome.replace(/\?\S*/, "")).sort()).toEqual(
      checked("/", "/new", "/old", "/shoe"),
    );
    expect(facts.skipped.duplicate).toBeGreaterThan(0);
  });

  test("several redirects to one page count once; those to another site do not count", async () => {
    const elsewhere = await openSite({ "/": page(["/never"]) });
    onTestFinished(() => elsewhere.close());
    const to = (location: string) => ({ status: 302, headers: { location } });
    const { outcomes, facts } = await crawled({
      pages: {
        "/": page(["/one", "/two", "/three", "/away", "/loop"]),
        "/one": to("/target"),
        "/two": to("/target"),
        "/three": to("/two"),
        "/target": page(),
        "/away": to(elsewhere.url("/")),
        "/loop": to("/loop"),
      },
    });
    expect(outcomes.filter((outcome) => outcome.endsWith("succeeded"))).toHaveLength(2);
    expect(outcomes).toContain("/loop redirect_loop");
    expect(outcomes).toHaveLength(3);
    expect(facts.skipped).toMatchObject({ duplicate: 2, elsewhere: 1 });
    expect(elsewhere.requests).not.toContain("/never");
  });

  test("a start page that leads to another site is checked, and its links are not followed", async () => {
    const elsewhere = await openSite({ "/": page(["/never"]) });
    onTestFinished(() => elsewhere.close());
    const { outcomes, facts } = await crawled({
      pages: { "/": { status: 301, headers: { location: elsewhere.url("/") } } },
    });
    expect(outcomes).toEqual(["/ succeeded"]);
    expect(facts.ledElsewhere).toBe(elsewhere.url("/"));
    expect(elsewhere.requests).not.toContain("/never");
  });
});

describe("addresses that are not pages", () => {
  test("are skipped and counted, by their extension or their answer", async () => {
    const { outcomes, facts, requests } = await crawled({
      pages: {
        "/": page(["/report.pdf", "/photo.jpg", "/archive.zip", "/data", "/file", "/page"]),
        "/data": { headers: { "content-type": "application/json" }, body: "{}" },
        "/file": { headers: { "content-disposition": "attachment" }, body: "x" },
        "/page": page(),
      },
    });
    expect(sorted(outcomes)).toEqual(checked("/", "/page"));
    expect(facts.skipped).toMatchObject({ files: 3, notPage: 2 });
    expect(requests.join(" ")).not.toMatch(/pdf|jpg|zip/);
  });

  test("a start page that is not a page fails with that reason", async () => {
    const { outcomes } = await crawled({
      start: "/feed",
      pages: { "/feed": { headers: { "content-type": "application/rss+xml" }, body: "<rss/>" } },
    });
    expect(outcomes).toEqual(["/feed not_html"]);
  });

  test("broken pages count as failed pages", async () => {
    const { outcomes } = await crawled({
      pages: { "/": page(["/gone", "/empty", "/fine"]), "/empty": "<!doctype html><title>x</title>", "/fine": page() },
    });
    expect(sorted(outcomes)).toEqual(["/ succeeded", "/empty empty", "/fine succeeded", "/gone http_status"]);
  });
});

describe("robots.txt", () => {
  const robots = (body: string): Page => ({ headers: { "content-type": "text/plain" }, body });

  test("disallowed pages are listed, but never requested", async () => {
    const { outcomes, facts, requests } = await crawled({
      pages: {
        "/robots.txt": robots("User-agent: *\nDisallow: /private\nAllow: /private/open\n"),
        "/": page(["/private", "/private/deep", "/private/open", "/free"]),
        "/private/open": page(),
        "/free": page(),
      },
    });
    expect(sorted(outcomes)).toEqual([
      "/ succeeded",
      "/free succeeded",
      "/private robots",
      "/private/deep robots",
      "/private/open succeeded",
    ]);
    expect(facts.disallowed).toBe(2);
    expect(requests).not.toContain("/private");
  });

  test("our own group applies, not the group for all", async () => {
    const { outcomes } = await crawled({
      pages: {
        "/robots.txt": robots("User-agent: *\nDisallow: /\n\nUser-agent: rampe\nDisallow: /not-you\n"),
        "/": page(["/not-you", "/you"]),
        "/you": page(),
      },
    });
    expect(sorted(outcomes)).toEqual(["/ succeeded", "/not-you robots", "/you succeeded"]);
  });

  test("a disallowed start page fails with that reason, and nothing else is requested", async () => {
    const { outcomes, requests } = await crawled({
      pages: { "/robots.txt": robots("User-agent: *\nDisallow: /\n"), "/": page(["/a"]), "/a": page() },
    });
    expect(outcomes).toEqual(["/ robots"]);
    expect(requests).toEqual(["/robots.txt"]);
  });

  test("an unreadable robots.txt disallows everything", async () => {
    const { outcomes, requests } = await crawled({
      pages: { "/robots.txt": { status: 503 }, "/": page(["/a"]), "/a": page() },
    });
    expect(outcomes).toEqual(["/ robots"]);
    expect(requests).not.toContain("/a");
  });

  test("a redirect to a disallowed page is disallowed too", async () => {
    const { outcomes } = await crawled({
      pages: {
        "/robots.txt": robots("User-agent: *\nDisallow: /secret\n"),
        "/": page(["/door"]),
        "/door": { status: 302, headers: { location: "/secret" } },
        "/secret": page(["/inner"]),
        "/inner": page(),
      },
    });
    // Links are followed before the result of their page is stored: either may come first.
    expect(outcomes).toEqual(expect.arrayContaining(["/ succeeded", "/door robots"]));
    expect(outcomes.filter((outcome) => /inner|secret succeeded/.test(outcome))).toEqual([]);
  });

  test("Crawl-delay is obeyed: one page at a time, with the pause in between", async () => {
    const times: number[] = [];
    const timed =
      (html: string): Handler =>
      (_request, response) => {
        times.push(Date.now());
        response.writeHead(200, { "content-type": "text/html" }).end(html);
      };
    await crawled({
      pages: {
        "/robots.txt": robots("User-agent: *\nCrawl-delay: 3\n"),
        "/": timed(page(["/a", "/b"])),
        "/a": timed(page()),
        "/b": timed(page()),
      },
    });
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(gaps).toHaveLength(2);
    for (const gap of gaps) expect(gap).toBeGreaterThan(2_000);
  });
});

describe("an overloaded site", () => {
  test("is requested again after the time in Retry-After", async () => {
    let asked = 0;
    const times: number[] = [];
    const { outcomes } = await crawled({
      pages: {
        "/": page(["/busy", "/a"]),
        "/a": page(),
        "/busy": (_request, response) => {
          asked += 1;
          times.push(Date.now());
          if (asked === 1) response.writeHead(429, { "retry-after": "2", "content-type": "text/html" }).end("busy");
          else response.writeHead(200, { "content-type": "text/html" }).end(page());
        },
      },
    });
    expect(sorted(outcomes)).toEqual(checked("/", "/a", "/busy"));
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_900);
  });

  test("a page that stays broken fails after three tries, and the others are checked", async () => {
    const { outcomes, requests } = await crawled({
      pages: { "/": page(["/broken", "/a", "/b"]), "/broken": { status: 500, body: "x" }, "/a": page(), "/b": page() },
    });
    expect(sorted(outcomes)).toEqual(["/ succeeded", "/a succeeded", "/b succeeded", "/broken http_status"]);
    expect(requests.filter((path) => path === "/broken")).toHaveLength(3);
  });

  test("a slow page does not block the others", async () => {
    const { outcomes } = await crawled({
      pages: {
        "/": page(["/slow", "/a", "/b"]),
        "/slow": (_request, response) =>
          void setTimeout(() => response.writeHead(200, { "content-type": "text/html" }).end(page()), 3_000),
        "/a": page(),
        "/b": page(),
      },
    });
    expect(outcomes.at(-1)).toBe("/slow succeeded");
    expect(outcomes).toHaveLength(4);
  });
});

test("aborting ends the crawl with the results so far", async () => {
  const site = await openSite({ "/": page(["/a", "/b"]), "/a": page(), "/b": page() });
  onTestFinished(() => site.close());
  const stop = new AbortController();
  const results: PageResult[] = [];
  const crawling = crawl(
    { url: site.url("/"), standard: WCAG22AA, signal: stop.signal },
    passingStore((result) => {
      results.push(result);
      stop.abort(new Error("enough"));
    }),
    {
      scanner,
      fetch: createSiteFetch({ policy: createAddressPolicy(["127.0.0.1/32"]), userAgent: USER_AGENT }),
      throttles: createHostThrottles(),
      userAgent: USER_AGENT,
      maxPages: 10,
    },
  );
  await expect(crawling).rejects.toThrow("enough");
  expect(results).toHaveLength(1);
});
