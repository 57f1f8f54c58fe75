import { describe, expect, test } from "vitest";
import { readRobots } from "~/scan/crawl/files/robots";
import { parseRobots, productToken } from "~/scan/crawl/files/robots-rules";
import type { FetchedFile, FetchFailure, SiteFetch } from "~/scan/crawl/site-fetch";

const USER_AGENT = "Mozilla/5.0 (compatible; Rampe/1.0; +https://rampe.example)";
const allowed = (text: string, path: string) => parseRobots(text, "Rampe").allows(path);

describe("rules of one group", () => {
  test.each<[rules: string, path: string, isAllowed: boolean]>([
    ["Disallow: /", "/", false],
    ["Disallow: /", "/a", false],
    ["Disallow:", "/a", true],
    ["Disallow: /\nAllow: /", "/a", true],
    ["Allow: /\nDisallow: /", "/a", true],
    ["Disallow: /private", "/private", false],
    ["Disallow: /private", "/privately", false],
    ["Disallow: /private/", "/private", true],
    ["Disallow: /private", "/Private", true],
    ["Disallow: /private", "/a/private", true],
    ["Allow: /private/open\nDisallow: /private", "/private/open/a", true],
    ["Disallow: /private\nAllow: /private/open", "/private/closed", false],
    ["Allow: /p\nDisallow: /", "/page", true],
    ["Allow: /$\nDisallow: /", "/", true],
    ["Allow: /$\nDisallow: /", "/page", false],
    ["Allow: /folder\nDisallow: /folder", "/folder/page", true],
    ["Allow: /page\nDisallow: /*.htm", "/page.htm", false],
    ["Disallow: /*.gif$", "/a/b.gif", false],
    ["Disallow: /*.gif$", "/a/b.gif?x=1", true],
    ["Disallow: /*.gif$", "/a.gif/b.gif", false],
    ["Disallow: /fish*", "/fishheads/yummy.html", false],
    ["Disallow: /fish*.php", "/fishheads/catfish.php?parameters", false],
    ["Disallow: /fish*.php", "/Fish.PHP", true],
    ["Disallow: /*?", "/a?b", false],
    ["Disallow: /*?", "/a", true],
    ["Disallow: *?sort=", "/a?sort=b", false],
    ["Disallow: /a*b*c$", "/aXbXcXc", false],
    ["Disallow: /a*b*c$", "/abXcX", true],
    ["Disallow: /ab*b$", "/ab", true],
    ["Disallow: /a$b", "/a$b", false],
    ["Disallow: /*", "/a", false],
    ["Disallow: /$", "/a", true],
    ["Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", false],
    ["Disallow: /foo/bar/baz", "/foo/bar/%62%61%7a", false],
    ["Disallow: /~user", "/%7Euser", false],
    ["Disallow: /ü", "/%C3%BC", false],
    ["Disallow: /%c3%bc", "/%C3%BC", false],
    ["Disallow: /foo/bar?qux=taz&baz=http%3A%2F%2Ffoo.bar", "/foo/bar?qux=taz&baz=http%3A%2F%2Ffoo.bar", false],
    ["Disallow: /a%2Fb", "/a/b", true],
    ["Disallow: /x%2A.html", "/x*.html", false],
    ["Disallow: /x%2A.html", "/xy.html", true],
    ["Disallow: /x[1]", "/x[1]", false],
    ["Disallow: private", "/private", true],
    ["Disallow: /a # not /b", "/a", false],
    ["Disallow: /a # not /b", "/b", true],
    ["disallow : /a", "/a", false],
    ["DISALLOW:/a", "/a", false],
    ["Dissallow: /a", "/a", false],
    ["Disallow /a", "/a", false],
    ["  Disallow:\t/a  ", "/a", false],
    ["Noindex: /a", "/a", true],
  ])("%j for %s: %s", (rules, path, isAllowed) => expect(allowed(`User-agent: *\n${rules}`, path)).toBe(isAllowed));

  test("a pattern full of wildcards does not take long", () => {
    const rules = Array.from({ length: 1_000 }, () => `Disallow: /${"*a".repeat(500)}$`).join("\n");
    expect(allowed(`User-agent: *\n${rules}`, `/${"a".repeat(400)}b`)).toBe(true);
  });

  const blanks = " ".repeat(80_000);
  test.each([
    ["before the end", `Disallow: /b${blanks}c`],
    ["after a name, before invalid text", `Disallow${blanks.slice(0, 2_500)}\0\u2028x`],
    ["before a number", `${blanks}1`],
    ["around a colon", `Disallow${blanks}:${blanks}/b${blanks}`],
    ["before a comment", `Disallow: /b${blanks}# c${blanks}d`],
  ])("a line full of spaces %s does not take long", (_name, line) => {
    const start = performance.now();
    expect(allowed(`User-agent: *\n${line}\nDisallow: /a`, "/a")).toBe(false);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe("which group applies", () => {
  const closed = (text: string) => !allowed(text, "/a");

  test.each([
    ["our own, before the group for all", "User-agent: *\nDisallow:\n\nUser-agent: rampe\nDisallow: /"],
    ["our own in any case", "User-agent: RAMPE\nDisallow: /"],
    ["our own with a version", "User-agent: Rampe/2.0\nDisallow: /"],
    ["our own with more words after the name", "User-agent: Rampe the scanner\nDisallow: /"],
    ["the group for all", "User-agent: Other\nAllow: /\n\nUser-agent: *\nDisallow: /"],
    ["a group for several names", "User-agent: Other\nUser-agent: Rampe\nUser-agent: Third\nDisallow: /"],
    ["several groups for one name, together", "User-agent: Rampe\nDisallow: /b\n\nUser-agent: *\nAllow: /\n\nUser-agent: Rampe\nDisallow: /a"],
    ["a group whose names are interrupted", "User-agent: Rampe\nSitemap: https://example.com/s.xml\nUser-agent: Other\nDisallow: /"],
    ["a group whose rules are interrupted", "User-agent: Rampe\nDisallow: /b\n\n\nSitemap: /x\n# comment\n\nDisallow: /a"],
    ["a group after a byte order mark", "\uFEFFUser-agent: *\nDisallow: /"],
    ["a group with line breaks of Windows", "User-agent: *\r\nDisallow: /\r\n"],
    ["a group with line breaks of old Macs", "User-agent: *\rDisallow: /\r"],
    ["a group after invalid lines", "<<<\n: x\nfoo\nDisallow: /nobody\nUser-agent: *\nDisallow: /"],
  ])("%s", (_name, text) => expect(closed(text)).toBe(true));

  test.each([
    ["the group for all, if there is our own", "User-agent: *\nDisallow: /\n\nUser-agent: Rampe\nDisallow:"],
    ["the group for all, if ours is empty", "User-agent: *\nDisallow: /\n\nUser-agent: Rampe"],
    ["groups for other crawlers", "User-agent: Other\nDisallow: /"],
    ["a name that is the beginning of ours", "User-agent: Ramp\nDisallow: /"],
    ["names that begin with ours", "User-agent: Rampenlicht\nDisallow: /\nUser-agent: Rampe-Bot\nDisallow: /"],
    ["rules without a group", "Disallow: /"],
    ["an empty file", ""],
  ])("not %s", (_name, text) => expect(closed(text)).toBe(false));

  test("without our own name, only the group for all applies", () => {
    const text = "User-agent: Mozilla\nDisallow: /a\nUser-agent: *\nDisallow: /b";
    expect(["/a", "/b"].map((path) => parseRobots(text, undefined).allows(path))).toEqual([true, false]);
  });

  test("the Crawl-delay of our group applies", () => {
    const delayOf = (text: string) => parseRobots(text, "Rampe").crawlDelay;
    expect(delayOf("User-agent: *\nCrawl-delay: 5\n\nUser-agent: Rampe\nCrawl-delay: 2.5\nDisallow: /a")).toBe(2.5);
    expect(delayOf("User-agent: *\nCrawl-delay: 5\n\nUser-agent: Rampe\nDisallow: /a")).toBe(0);
    expect(delayOf("User-agent: Other\nCrawl-delay: 5\n\nUser-agent: *\nCrawl-delay: 0,5")).toBe(0.5);
    for (const value of ["", "soon", "-3"]) expect(delayOf(`User-agent: *\nCrawl-delay: ${value}`)).toBe(0);
  });

  test("a group with only a Crawl-delay does not include the rules of the next group", () => {
    expect(closed("User-agent: *\nCrawl-delay: 5\n\nUser-agent: Other\nDisallow: /")).toBe(false);
  });
});

test.each([
  [USER_AGENT, "Rampe"],
  ["Mozilla/5.0 (compatible; Rampe/test; +http://rampe.test)", "Rampe"],
  ["Mozilla/5.0 (compatible; AcmeScan; +https://chrome.example/bot)", "AcmeScan"],
  ["AcmeScan/2.1", "AcmeScan"],
  ["AcmeScan", "AcmeScan"],
  ["acme_scan-bot/1 (+https://acme.example; bot@acme.example)", "acme_scan-bot"],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36 Acme/1.0", "Acme"],
  ["Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Acmebot/2.1; +http://acme.example) Chrome/1 Safari/537.36", "Acmebot"],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/149.0.0.0 Safari/537.36", undefined],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0", undefined],
  ["", undefined],
])("the product token of %j is %s", (userAgent, token) => expect(productToken(userAgent)).toBe(token));

describe.concurrent("answers of a server", () => {
  const answer = (status: number, body = "", more: Partial<FetchedFile> = {}): FetchedFile => ({
    status,
    headers: {},
    url: "https://example.com/robots.txt",
    body: Buffer.from(body),
    cut: false,
    ...more,
  });
  const failure = (reason: FetchFailure["reason"]): FetchFailure => ({ reason, technical: "x" });

  /** Reads robots.txt with the given answers; the last one is repeated. */
  async function read(...answers: (FetchedFile | FetchFailure)[]) {
    const asked: string[] = [];
    const fetch: SiteFetch = {
      get: async (url) => {
        asked.push(url);
        return answers[Math.min(asked.length, answers.length) - 1] ?? answer(404);
      },
    };
    return { robots: await readRobots("https://example.com", { fetch, userAgent: USER_AGENT }), asked };
  }

  test("a file is obeyed; sitemaps become absolute, and the delay is at most a minute", async () => {
    const text = "User-agent: Rampe\nDisallow: /a\nCrawl-delay: 600\nSitemap: /maps/1.xml\nSitemap: https://maps.example/2.xml";
    const { robots, asked } = await read(answer(200, text));
    expect(robots).toMatchObject({
      state: "found",
      crawlDelayMs: 60_000,
      sitemaps: ["https://example.com/maps/1.xml", "https://maps.example/2.xml"],
    });
    expect(robots.allows("https://example.com/a?b")).toBe(false);
    expect(robots.allows("https://example.com/b")).toBe(true);
    expect(asked).toEqual(["https://example.com/robots.txt"]);
  });

  test.each<[string, Buffer]>([
    ["UTF-16 in little-endian order", Buffer.from("\uFEFFUser-agent: *\r\nDisallow: /a\r\n", "utf16le")],
    ["UTF-16 in big-endian order", Buffer.from("\uFEFFUser-agent: *\nDisallow: /a", "utf16le").swap16()],
    ["UTF-8 with a byte order mark", Buffer.from("\uFEFFUser-agent: *\nDisallow: /a")],
  ])("a file in %s is obeyed", async (_name, body) => {
    const { robots } = await read(answer(200, "", { body }));
    expect([robots.state, robots.allows("https://example.com/a")]).toEqual(["found", false]);
    expect(robots.allows("https://example.com/b")).toBe(true);
  });

  test("robots.txt itself is always allowed", async () => {
    const { robots } = await read(answer(200, "User-agent: *\nDisallow: /"));
    expect(robots.allows("https://example.com/robots.txt")).toBe(true);
  });

  test.each([400, 401, 403, 404, 410])("with status %i everything is allowed", async (status) => {
    const { robots, asked } = await read(answer(status, "User-agent: *\nDisallow: /"));
    expect([robots.state, robots.allows("https://example.com/a")]).toEqual(["none", true]);
    expect(asked).toHaveLength(1);
  });

  test.each<[string, FetchedFile | FetchFailure]>([
    ["a page", answer(200, "\n<!DOCTYPE html><p>User-agent: *\nDisallow: /")],
    ["too many redirects", failure("redirect_loop")],
  ])("with %s everything is allowed", async (_name, given) => {
    const { robots } = await read(given);
    expect([robots.state, robots.allows("https://example.com/a")]).toEqual(["none", true]);
  });

  test.each<[string, FetchedFile | FetchFailure]>([
    ["a server error", answer(503)],
    ["no answer", failure("timeout")],
    ["no connection", failure("refused")],
    ["too many requests", answer(429)],
  ])("with %s at all three tries, nothing is allowed", async (_name, given) => {
    const { robots, asked } = await read(given);
    expect([robots.state, robots.allows("https://example.com/a")]).toEqual(["unreachable", false]);
    expect(asked).toHaveLength(3);
  });

  test.each<[string, FetchFailure]>([
    ["a blocked address", failure("blocked_address")],
    ["a bad certificate", failure("tls")],
  ])("with %s there is no second try", async (_name, given) => {
    const { robots, asked } = await read(given);
    expect([robots.state, asked.length]).toEqual(["unreachable", 1]);
  });

  test("a server that answers at the third try is obeyed", async () => {
    const { robots } = await read(answer(503), failure("refused"), answer(200, "User-agent: *\nDisallow: /a"));
    expect(robots.state).toBe("found");
  });

  test("the incomplete last rule of a file that is too long does not count", async () => {
    const { robots } = await read(answer(200, "User-agent: *\nDisallow: /a\nDisallow: /", { cut: true }));
    expect(robots.allows("https://example.com/b")).toBe(true);
    expect(robots.allows("https://example.com/a")).toBe(false);
  });
});
