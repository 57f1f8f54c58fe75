import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { siteOf } from "~/scan/crawl/addresses/address";
import type { FetchedFile, FetchFailure, SiteFetch } from "~/scan/crawl/site-fetch";
import { readSitemaps, type SitemapOptions } from "~/scan/crawl/files/sitemap";

const ORIGIN = "https://example.com";
const DEFAULT = `${ORIGIN}/sitemap.xml`;

type Answer = string | Buffer | number | FetchFailure | (Partial<FetchedFile> & { body: Buffer });

/** Reads sitemaps from answers by path; all other files are missing. */
async function read(answers: Record<string, Answer>, options: Partial<SitemapOptions> & { starts?: string[] } = {}) {
  const asked: string[] = [];
  const fetch: SiteFetch = {
    async get(url) {
      asked.push(url.replace(ORIGIN, ""));
      const answer = answers[url.replace(ORIGIN, "")] ?? 404;
      if (typeof answer === "object" && "reason" in answer) return answer;
      const file = { status: 200, headers: {}, url, body: Buffer.alloc(0), cut: false };
      if (typeof answer === "number") return { ...file, status: answer };
      if (typeof answer === "string" || Buffer.isBuffer(answer)) return { ...file, body: Buffer.from(answer) };
      return { ...file, ...answer };
    },
  };
  const { starts = [DEFAULT], ...limits } = options;
  const report = await readSitemaps(starts, {
    fetch,
    site: siteOf(ORIGIN),
    mostUrls: 1_000,
    mostFiles: 10,
    depth: 3,
    ...limits,
  });
  const paths = report.lists.flatMap(({ urls }) => urls.map((url) => url.replace(ORIGIN, "")));
  return { ...report, asked, paths };
}

const urlset = (...locs: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${locs
    .map((loc) => `  <url>\n    <loc>${loc}</loc>\n    <lastmod>2026-01-01</lastmod>\n  </url>`)
    .join("\n")}\n</urlset>\n`;
const index = (...locs: string[]) =>
  `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs
    .map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`)
    .join("")}</sitemapindex>`;

describe("a sitemap is read", () => {
  const PLAIN = urlset(`${ORIGIN}/a`, `${ORIGIN}/b?x=1&amp;y=2`);
  const PATHS = ["/a", "/b?x=1&y=2"];

  test.each<[string, Answer]>([
    ["as the protocol requires", PLAIN],
    ["after a byte order mark", `\uFEFF${PLAIN}`],
    ["after empty lines and comments", `\n\n<!-- by a tool -->\n${PLAIN.replace(/^.*\n/, "")}`],
    ["with a namespace prefix", PLAIN.replace(/<(\/?)(?=[a-z])/g, "<$1sm:").replace("xmlns=", "xmlns:sm=")],
    ["with element names in upper case", PLAIN.replace(/<\/?(urlset|url|loc)\b/g, (tag) => tag.toUpperCase())],
    ["with CDATA", urlset(`<![CDATA[${ORIGIN}/a]]>`, `<![CDATA[${ORIGIN}/b?x=1&y=2]]>`)],
    ["with numeric entities", urlset(`${ORIGIN}/&#97;`, `${ORIGIN}/b?x=1&#x26;y=2`)],
    ["with bare ampersands", urlset(`${ORIGIN}/a`, `${ORIGIN}/b?x=1&y=2`)],
    ["with white space around addresses", urlset(`\n    ${ORIGIN}/a\n  `, `\t${ORIGIN}/b?x=1&amp;y=2 `)],
    ["with relative addresses", urlset("/a", "b?x=1&amp;y=2")],
    ["with upper-case addresses and fragments", urlset("HTTPS://EXAMPLE.COM/a#top", "/b?x=1&amp;y=2")],
    ["with duplicate addresses", urlset("/a", "/b?x=1&amp;y=2", "/a", `${ORIGIN}/a`)],
    ["compressed", gzipSync(PLAIN)],
    ["compressed twice", gzipSync(gzipSync(PLAIN))],
    ["as plain text", `${ORIGIN}/a\r\n${ORIGIN}/b?x=1&y=2\r\n`],
    ["as long text, with a line without end", `${ORIGIN}/a\n${"x".repeat(700_000)}\n${ORIGIN}/b?x=1&y=2\n${"y".repeat(700_000)}`],
    ["as compressed text with a byte order mark", gzipSync(`\uFEFF${ORIGIN}/a\n\n  ${ORIGIN}/b?x=1&y=2  `)],
    ["in UTF-16", Buffer.from(`\uFEFF${PLAIN}`, "utf16le")],
    ["with a wrong declared encoding", PLAIN.replace("UTF-8", "utf-16")],
    ["with an unknown declared encoding", PLAIN.replace("UTF-8", "x-unknown")],
  ])("%s", async (_name, file) => {
    const { paths, problems, files, cut } = await read({ "/sitemap.xml": file });
    expect(paths).toEqual(PATHS);
    expect({ problems, files, cut }).toEqual({ problems: [], files: 1, cut: false });
  });

  test("in Latin-1", async () => {
    const file = Buffer.from(urlset("/stra\u00dfe").replace("UTF-8", "ISO-8859-1"), "latin1");
    expect((await read({ "/sitemap.xml": file })).paths).toEqual(["/stra%C3%9Fe"]);
  });

  test("without its addresses of images, videos and translations", async () => {
    const file = `<urlset xmlns:image="i" xmlns:xhtml="x"><url><loc>/a</loc>
      <image:image><image:loc>/a.jpg</image:loc></image:image>
      <xhtml:link rel="alternate" hreflang="de" href="/de"/></url></urlset>`;
    const { paths, problems } = await read({ "/sitemap.xml": file });
    expect(paths).toEqual(["/a"]);
    // A self-closing tag is no error.
    expect(problems).toEqual([]);
  });

  test("without addresses of other sites and invalid ones", async () => {
    const file = urlset("https://elsewhere.example/x", "http://www.example.com/b", "mailto:a@example.com", "", "http://[");
    expect((await read({ "/sitemap.xml": file })).paths).toEqual(["http://www.example.com/b"]);
  });
});

test("addresses that are too long are left out, also of sitemaps, and said to be missing", async () => {
  const long = (path: string) => `${ORIGIN}${path}?sort=${"x".repeat(2_000)}`;
  const listed = await read({ "/sitemap.xml": urlset("/a", long("/b")) });
  expect([listed.paths, listed.cut]).toEqual([["/a"], true]);
  const named = await read({ "/sitemap.xml": index(long("/1.xml")) }, { starts: [DEFAULT, long("/2.xml")] });
  expect([named.asked, named.cut, named.problems.map(({ why }) => why)]).toEqual([["/sitemap.xml"], true, ["its address is too long"]]);
});

describe("indexes", () => {
  test("lead to sitemaps, also on other hosts, each read once", async () => {
    const { paths, asked, files, problems, cut } = await read({
      "/sitemap.xml": index("/1.xml", "2.xml.gz", "/1.xml#again", "https://maps.example/3.xml", "/sitemap.xml"),
      "/1.xml": urlset("/a"),
      "/2.xml.gz": gzipSync(index("/sitemap.xml", "/1.xml", "/4.xml")),
      "https://maps.example/3.xml": urlset("https://example.com/c", "/not-of-the-site"),
      "/4.xml": urlset("/d"),
    });
    expect(paths).toEqual(["/a", "/c", "/d"]);
    expect(asked).toEqual(["/sitemap.xml", "/1.xml", "/2.xml.gz", "https://maps.example/3.xml", "/4.xml"]);
    expect({ files, problems, cut }).toEqual({ files: 5, problems: [], cut: false });
  });

  test("take no memory beyond the number of files that are read, however many they name", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const heap: number[] = [];
    const fetch: SiteFetch = {
      async get(url) {
        collect();
        heap.push(process.memoryUsage().heapUsed);
        const names = Array.from({ length: 50_000 }, (_, each) => `<sitemap><loc>/index-${heap.length}-${each}.xml</loc></sitemap>`);
        return { status: 200, headers: {}, url, body: Buffer.from(`<sitemapindex>${names.join("")}</sitemapindex>`), cut: false };
      },
    };
    const { cut } = await readSitemaps([DEFAULT], { fetch, site: siteOf(ORIGIN), mostUrls: 1_000, mostFiles: 4, depth: 9 });
    const [first = 0, last = 0] = [heap[0], heap.at(-1)];
    expect([cut, heap.length, last - first < 10_000_000]).toEqual([true, 4, true]);
  });

  test("are followed up to a maximum depth", async () => {
    const answers = Object.fromEntries(
      Array.from({ length: 6 }, (_, level): [string, string] => [level ? `/${level}.xml` : "/sitemap.xml", index(`/${level + 1}.xml`)]),
    );
    const { asked, cut } = await read(answers, { depth: 2 });
    expect(asked).toEqual(["/sitemap.xml", "/1.xml", "/2.xml"]);
    expect(cut).toBe(true);
  });

  test("are followed up to a maximum number of files, so no loop is endless", async () => {
    let made = 0;
    const answers = new Proxy<Record<string, Answer>>({}, { get: () => index(`/${(made += 1)}.xml`, `/${(made += 1)}.xml`) });
    const { asked, cut } = await read(answers, { mostFiles: 7, depth: 100 });
    expect(asked).toHaveLength(7);
    expect(cut).toBe(true);
  });
});

describe("limits and problems are reported", () => {
  test("a maximum number of addresses", async () => {
    const many = Array.from({ length: 30 }, (_, each) => `/${each}`);
    const { paths, cut } = await read({ "/sitemap.xml": urlset(...many) }, { mostUrls: 20 });
    expect(paths).toEqual(many.slice(0, 20));
    expect(cut).toBe(true);
    expect((await read({ "/sitemap.xml": urlset(...many) }, { mostUrls: 30 })).cut).toBe(false);
  });

  test.each<[string, string, string[]]>([
    ["it ends in the middle of an address", `<urlset><url><loc>/a</loc></url><url><loc>/b</lo`, ["/a"]],
    ["it ends between two addresses", `<urlset><url><loc>/a</loc></url>`, ["/a"]],
    ["with unclosed elements", `<urlset><url><loc>/a<lastmod>2026</lastmod></url><url><loc>/b</loc></url></urlset>`, ["/a", "/b"]],
    ["with elements closed in the wrong order", `<urlset><url><loc>/a</url></loc><url><loc>/b</loc></url></urlset>`, ["/a", "/b"]],
  ])("the readable part of a broken file counts: %s", async (_name, file, expected) => {
    const { paths, problems } = await read({ "/sitemap.xml": file });
    expect(paths).toEqual(expected);
    expect(problems).toEqual([{ url: DEFAULT, why: expect.stringContaining("broken XML") }]);
  });

  test.each<[string, Answer, string]>([
    ["an error", 500, "HTTP 500"],
    ["a missing file", 404, "HTTP 404"],
    ["no answer", { reason: "timeout", technical: "no answer within 1 ms" }, "timeout: no answer within 1 ms"],
    ["a web page", "<!doctype html><title>x</title>", "a web page, no sitemap"],
    ["a page in XHTML", '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', "a web page, no sitemap"],
    ["a feed", "<rss><channel><link>/a</link></channel></rss>", "no sitemap"],
    ["other text", "hello\nworld", "no sitemap"],
    ["nothing", "", "no sitemap"],
  ])("a problem of a sitemap that robots.txt names: %s", async (_name, file, why) => {
    const { problems, files, lists } = await read({ "/named.xml": file }, { starts: [`${ORIGIN}/named.xml`] });
    expect({ problems, files, lists }).toEqual({ problems: [{ url: `${ORIGIN}/named.xml`, why }], files: 0, lists: [] });
  });

  test.each<[string, Answer]>([
    ["a missing file", 404],
    ["a removed file", 410],
    ["a forbidden file", 403],
    ["a web page", "<!doctype html><title>x</title>"],
  ])("%s at the default address is not a problem", async (_name, file) => {
    expect(await read({ "/sitemap.xml": file })).toMatchObject({ problems: [], files: 0, lists: [], cut: false });
  });

  test("after several files without an answer, no more are requested", async () => {
    const silent: FetchFailure = { reason: "timeout", technical: "x" };
    const names = Array.from({ length: 6 }, (_, each) => `/${each}.xml`);
    const answers = Object.fromEntries(names.map((name): [string, Answer] => [name, silent]));
    const { asked, cut, problems } = await read({ ...answers, "/sitemap.xml": index(...names) });
    expect(asked).toHaveLength(4);
    expect(problems).toHaveLength(3);
    expect(cut).toBe(true);
  });

  test("a file that is too long is read up to the limit", async () => {
    const body = Buffer.from(urlset("/a", "/b"));
    const { paths, cut, problems } = await read({ "/sitemap.xml": { body: body.subarray(0, body.indexOf("/b")), cut: true } });
    expect(paths).toEqual(["/a"]);
    expect(cut).toBe(true);
    expect(problems).toEqual([{ url: DEFAULT, why: expect.stringContaining("longer than") }]);
  });

  test("a compressed file that would fill the memory is cut", async () => {
    const head = `<urlset><url><loc>/a</loc></url>`;
    const bomb = gzipSync(Buffer.concat([Buffer.from(head), Buffer.alloc(20 * 1024 * 1024, " ")]));
    expect(await read({ "/sitemap.xml": bomb })).toMatchObject({ paths: ["/a"], cut: true, files: 1 });
  });

  test("an invalid address", async () => {
    const { problems, asked } = await read({}, { starts: ["ftp://example.com/x", "::"] });
    expect(problems.map(({ why }) => why)).toEqual(["no web address", "no web address"]);
    expect(asked).toEqual([]);
  });

  test("the first problems, and the number of further ones", async () => {
    const starts = Array.from({ length: 30_000 }, (_, each) => `a${each}:${"x".repeat(1_000)}`);
    const { problems, moreProblems } = await read({}, { starts });
    expect([problems.length, moreProblems]).toEqual([50, 29_950]);
    expect(JSON.stringify(problems).length).toBeLessThan(50_000);
    const named = `${ORIGIN}/${"x".repeat(100_000)}.xml`;
    expect((await read({}, { starts: [named] })).problems).toEqual([{ url: named.slice(0, 500), why: "its address is too long" }]);
  });

  test("slow files have a common time limit, and the files read until then count", async () => {
    const names = Array.from({ length: 20 }, (_, each) => `/${each}.xml`);
    const { report, ms } = await readSlowly(names, 100, { totalMs: 250 });
    expect(ms).toBeLessThan(800);
    expect(report.cut).toBe(true);
    expect(report.files).toBeGreaterThan(0);
    expect(report.lists).toHaveLength(report.files);
  });

  test("the wait for one file ends at the common time limit", async () => {
    const { report, ms } = await readSlowly(["/1.xml"], 5_000, { totalMs: 100 });
    expect(ms).toBeLessThan(2_000);
    expect(report.problems).toEqual([{ url: `${ORIGIN}/1.xml`, why: "timeout: slow" }]);
  });

  /** Reads files that each take `eachMs` and list one page. */
  async function readSlowly(names: string[], eachMs: number, options: Partial<SitemapOptions>) {
    const fetch: SiteFetch = {
      async get(url, { timeoutMs = Infinity }) {
        await delay(Math.min(eachMs, timeoutMs));
        if (eachMs > timeoutMs) return { reason: "timeout", technical: "slow" };
        return { status: 200, headers: {}, url, body: Buffer.from(urlset(url.replace(".xml", ""))), cut: false };
      },
    };
    const start = performance.now();
    const limits = { fetch, site: siteOf(ORIGIN), mostUrls: 1_000, mostFiles: 50, depth: 3 };
    const report = await readSitemaps(names.map((name) => ORIGIN + name), { ...limits, ...options });
    return { report, ms: performance.now() - start };
  }

  test.each<[string, string]>([
    ["with many addresses", urlset(...Array.from({ length: 90_000 }, (_, each) => `/${each}`))],
    ["without any address", `<urlset>${"<a/>".repeat(2_000_000)}`],
  ])("aborting ends the reading of a long file at once: %s", async (_name, file) => {
    const stop = new AbortController();
    const fetch: SiteFetch = {
      get: async (url) => {
        setImmediate(() => stop.abort(new Error("enough")));
        return { status: 200, headers: {}, url, body: Buffer.from(file), cut: false };
      },
    };
    const limits = { fetch, site: siteOf(ORIGIN), mostUrls: 100_000, mostFiles: 10, depth: 3 };
    await expect(readSitemaps([DEFAULT], { ...limits, signal: stop.signal })).rejects.toThrow("enough");
  });

  test("aborting before the start rejects at once", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(read({ "/sitemap.xml": urlset("/a") }, { signal })).rejects.toThrow("enough");
  });
});

describe("a hostile file does not take long", () => {
  const page = "<urlset><url><loc>/a</loc></url>";
  const times = 100_000;

  test.each<[string, string | Buffer]>([
    ["endlessly nested elements", gzipSync(page + "<a>".repeat(5_000_000))],
    ["elements closed by wrong names", page + "<a>".repeat(times) + "</b>".repeat(times)],
    ["nested addresses", `<urlset><url><loc>/a</loc>${"<url><loc>".repeat(times)}`],
  ])("%s", async (_name, file) => {
    const start = performance.now();
    const { paths, problems } = await read({ "/sitemap.xml": file });
    expect(paths).toEqual(["/a"]);
    expect(problems).toEqual([{ url: DEFAULT, why: expect.stringContaining("broken XML") }]);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test("comments at the beginning", async () => {
    const start = performance.now();
    const comments = "<!---->".repeat(28);
    expect((await read({ "/sitemap.xml": comments + urlset("/a").replace(/^.*\n/, "") })).paths).toEqual(["/a"]);
    const page = `<!-- > --> <!--->-->\n<!doctype html><title>x</title>`;
    const { problems } = await read({ "/x.xml": page }, { starts: [`${ORIGIN}/x.xml`] });
    expect(problems).toMatchObject([{ why: "a web page, no sitemap" }]);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
