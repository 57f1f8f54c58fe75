import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OriginAccess } from "~/scan/network/access";
import { createAddressPolicy } from "~/scan/network/address-policy";
import { crawl } from "~/scan/crawl/crawl";
import { createHostThrottles } from "~/scan/crawl/host-throttle";
import { createSiteFetch } from "~/scan/crawl/site-fetch";
import { passingStore } from "~/scan/crawl/store";
import type { PageResult, Scanner } from "~/scan/types";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import { expectChecked, reasonOf, testScanner, violationsOf, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith, type Handler, type Page, type Site } from "../../support/scan/site";

const USER_AGENT = "Mozilla/5.0 (compatible; Rampe/test)";
const PASSWORD = `Basic ${Buffer.from("staging:sésame:1").toString("base64")}`;
const COOKIE = "preview=letmein";

interface Told {
  /** Host and path of the request. */
  what: string;
  authorization: string | undefined;
  cookie: string | undefined;
}

const toldBy = ({ headers, url }: IncomingMessage): Told => ({
  what: `${headers.host}${url}`,
  authorization: headers.authorization,
  cookie: headers.cookie,
});

const isOpenTo = ({ authorization, cookie }: Told) =>
  authorization === PASSWORD || (cookie ?? "").split("; ").includes(COOKIE);

let closed: Site;
/** Same server on another port, and with another name: other origins for a browser. */
let other: Site;
let scanner: Scanner;
const toldToClosed: Told[] = [];
const toldToOther: Told[] = [];

beforeAll(async () => {
  const recording = (log: Told[], needsAccess: boolean, page: () => Page): Handler => (request, response) => {
    const told = toldBy(request);
    log.push(told);
    const isOpen = !needsAccess || isOpenTo(told);
    const shown = isOpen ? page() : { status: 401, body: pageWith("") };
    if (typeof shown === "function") return shown(request, response);
    const { status = 200, headers = {}, body = "" } = typeof shown === "string" ? { body: shown } : shown;
    const challenge = status === 401 ? { "www-authenticate": 'Basic realm="Staging", charset="UTF-8"' } : {};
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...challenge, ...headers }).end(body);
  };
  const challenging: Page = { status: 401, headers: { "www-authenticate": 'Basic realm="Staging"' }, body: "no" };
  const strangers = () =>
    [other.url("/pixel"), other.url("/pixel", "localhost"), closed.url("/pixel", "localhost"), "/away-pixel"]
      .map((src) => `<img alt="" src="${src}">`)
      .concat(`<iframe title="Other" src="${other.url("/framed", "localhost")}"></iframe>`)
      .concat(`<iframe title="Port" src="${other.url("/framed")}"></iframe>`)
      .join("");
  const readCookie = `<p id="cookie"></p><script>
    document.getElementById("cookie").innerHTML = document.cookie ? '<img id="readable" src="data:,">' : "";
    fetch("/api").then((answer) => { if (answer.ok) document.body.insertAdjacentHTML("beforeend", '<img id="from-api" src="data:,">') });
  </script>`;
  const closedPages: Record<string, () => Page> = {
    "/": () => pageWith(`${strangers()}${readCookie}<a href="/inner">Inner</a>`),
    "/api": () => "ok",
    "/pixel": () => "",
    "/form": () => pageWith(`<form action="/sent"><label>Name <input name="name"></label><button>Send</button></form><button type="button" aria-expanded="false" onclick="location = '/sent'">Menu</button><button type="button" id="times" aria-expanded="false" onclick="days.hidden = !days.hidden">Times</button><p id="days" hidden>Monday to Friday</p>`),
    "/inner": () => pageWith(`<a href="/from-inner">More</a>`),
    "/from-inner": () => pageWith(""),
    "/from-sitemap": () => pageWith(""),
    "/away": () => ({ status: 302, headers: { location: other.url("/landed") } }),
    "/away-by-name": () => ({ status: 302, headers: { location: other.url("/landed", "localhost") } }),
    "/away-pixel": () => ({ status: 302, headers: { location: other.url("/pixel") } }),
    "/robots.txt": () => ({
      headers: { "content-type": "text/plain" },
      body: `User-agent: *\nDisallow: /away\nSitemap: ${closed.url("/map.xml")}\nSitemap: ${other.url("/map.xml")}\n`,
    }),
    "/map.xml": () => ({
      headers: { "content-type": "application/xml" },
      body: `<urlset><url><loc>${closed.url("/from-sitemap")}</loc></url></urlset>`,
    }),
  };
  const otherPages: Record<string, () => Page> = {
    "/pixel": () => challenging,
    "/framed": () => challenging,
    "/landed": () => pageWith('<img id="landed" src="data:,">'),
    "/map.xml": () => ({ status: 302, headers: { location: closed.url("/map.xml") } }),
  };
  const opened = (pages: Record<string, () => Page>, log: Told[], needsAccess: boolean) =>
    openSite(
      Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, recording(log, needsAccess, page)])),
    );
  closed = await opened(closedPages, toldToClosed, true);
  other = await opened(otherPages, toldToOther, false);
  scanner = testScanner({ userAgent: USER_AGENT });
});
afterAll(async () => {
  await scanner.stop();
  await Promise.all([closed.close(), other.close()]);
});
beforeEach(() => {
  toldToClosed.length = toldToOther.length = 0;
});

const basic = (password = "sésame:1"): OriginAccess => ({
  ...{ kind: "basic", user: "staging", password },
  origin: closed.origin,
});
const cookie = (text = `${COOKIE}; theme=dark`): OriginAccess => ({ kind: "cookie", cookie: text, origin: closed.origin });

/** Requests with credentials to other origins, and to this server by another name. */
const secretsTold = () =>
  [...toldToOther, ...toldToClosed.filter(({ what }) => what.startsWith("localhost"))].filter(
    ({ authorization, cookie: told }) => authorization !== undefined || told !== undefined,
  );

describe.each([
  ["a password", () => basic()],
  ["a cookie", () => cookie()],
])("%s", (_name, access) => {
  it("opens the page and its sub-resources", async () => {
    const result = await scanner.check({ url: closed.url("/"), standard: WCAG22AA, access: access() });
    expect(violationsOf(result)).toEqual(["image-alt #bare", "image-alt #from-api"]);
  });

  it("is not sent to any other origin, however the page leads there", async () => {
    await scanner.check({ url: closed.url("/"), standard: WCAG22AA, access: access() });
    expect(toldToClosed.map(({ what }) => what)).toContain(`localhost:${closed.port}/pixel`);
    expect(toldToOther.map(({ what }) => what)).toContain(`localhost:${other.port}/framed`);
    expect(secretsTold()).toEqual([]);
  });

  it.each(["/away", "/away-by-name"])("is not sent when the page leads to another origin: %s", async (path) => {
    const result = await scanner.check({ url: closed.url(path), standard: WCAG22AA, access: access() });
    expect(violationsOf(result)).toContain("image-alt #landed");
    expect(toldToOther).toHaveLength(1);
    expect(secretsTold()).toEqual([]);
  });

  it("does not open another requested origin", async () => {
    const url = closed.url("/", "localhost");
    const result = await scanner.check({ url, standard: WCAG22AA, access: access() });
    expect(result).toMatchObject({ status: "failed", reason: "login_required", detail: { httpStatus: 401 } });
    expect(secretsTold()).toEqual([]);
  });

  it("lets an advanced analysis try the page, which stays when a link or form would leave it", async () => {
    const own = testScanner({ ruleTexts: { ...texts, criteria } });
    const result = await own.check({ url: closed.url("/form"), standard: WCAG22AA, access: access(), advanced: true }).finally(() => own.stop());
    if (result.status !== "succeeded") throw new Error(JSON.stringify(result.detail));
    expect(result.partial).toEqual([]);
    expect(violationsOf(result)).toContain("rampe-expanded-state #times");
    expect(toldToClosed.map(({ what }) => what)).not.toContain(`${new URL(closed.origin).host}/sent`);
  });

  it("is not available to the next page", async () => {
    await scanner.check({ url: closed.url("/inner"), standard: WCAG22AA, access: access() });
    const later = await scanner.check({ url: closed.url("/inner"), standard: WCAG22AA });
    expect(reasonOf(later)).toBe("login_required");
  });

  it("opens robots.txt, sitemaps and all pages of a site", async () => {
    const results: PageResult[] = [];
    const facts = await crawl(
      { url: closed.url("/"), standard: WCAG22AA, access: access() },
      passingStore((result) => results.push(result)),
      {
        scanner,
        fetch: createSiteFetch({ policy: createAddressPolicy(["127.0.0.1/32", "localhost"]), userAgent: USER_AGENT }),
        throttles: createHostThrottles(),
        userAgent: USER_AGENT,
        maxPages: 10,
      },
    );
    const paths = results.map((result) => `${result.url.replace(closed.origin, "")} ${reasonOf(result)}`);
    expect(paths.sort()).toEqual(
      ["/", "/from-inner", "/from-sitemap", "/inner"].map((path) => `${path} succeeded`),
    );
    expect(facts).toMatchObject({ robots: "found", sitemaps: { problems: [] } });
    expect(secretsTold()).toEqual([]);
  });
});

it("a wrong password is reported as the site answers it", async () => {
  const result = await scanner.check({ url: closed.url("/inner"), standard: WCAG22AA, access: basic("wrong") });
  expect(result).toMatchObject({ status: "failed", reason: "login_required", detail: { httpStatus: 401 } });
  expect(toldToClosed.length).toBeLessThanOrEqual(3);
});

it("scripts of the page cannot read the cookie and send it elsewhere", async () => {
  const result = await scanner.check({ url: closed.url("/"), standard: WCAG22AA, access: cookie() });
  expect(violationsOf(result)).not.toContain("image-alt #readable");
  expect(expectChecked(result).gaps.resources).toBeGreaterThan(0);
});

it("invalid parts of a cookie header are not sent", async () => {
  const access = cookie(`evil\r\nx: y=1; ${COOKIE}; =; nothing`);
  const result = await scanner.check({ url: closed.url("/inner"), standard: WCAG22AA, access });
  expect(reasonOf(result)).toBe("succeeded");
  expect(toldToClosed.every((told) => told.cookie === undefined || told.cookie === COOKIE)).toBe(true);
});
