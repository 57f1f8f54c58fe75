import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import puppeteer from "puppeteer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAddressPolicy } from "~/scan/network/address-policy";
import { contextOptions, egressFlags, openEgress } from "~/scan/network/egress";
import { findBrowser } from "~/scan/browser/find-browser.mjs";
import { createScanner } from "~/scan/visit/scanner";
import type { PageResult, Scanner } from "~/scan/types";
import { openCanary, type Canary } from "./canary";

const STANDARD = { version: "2.2", level: "AA" } as const;
const ATTACKS = readFileSync(new URL("attack-page.html", import.meta.url), "utf8");

const browser = findBrowser(process.env);
if (!browser) throw new Error("these tests need a browser: npm start installs one");

let canary: Canary;
let canary6: Canary;
let site: Awaited<ReturnType<typeof openSite>>;
let scanner: Scanner;

beforeAll(async () => {
  canary = await openCanary("127.0.0.1");
  canary6 = await openCanary("::1");
  site = await openSite();
  scanner = openScanner(lookup);
});

afterAll(async () => {
  await scanner?.stop();
  await Promise.all([canary.close(), canary6.close()]);
  site.close();
});

/** Known host names; all others fail. */
const NAMES: Record<string, string[]> = {
  "private.example": ["127.0.0.1"],
  "private6.example": ["::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "mixed.example": ["1.1.1.1", "127.0.0.1"],
  "metadata.example": ["169.254.169.254"],
};

async function lookup(host: string): Promise<string[]> {
  const addresses = NAMES[host];
  if (!addresses) throw Object.assign(new Error("not found"), { code: "ENOTFOUND" });
  return addresses;
}

function openScanner(lookup: (host: string) => Promise<string[]>): Scanner {
  return createScanner({
    executablePath: browser!.path,
    concurrency: 2,
    pageSeconds: 20,
    allowPrivate: [`127.0.0.1:${site.port}`],
    userAgent: "Rampe (safety test)",
    lookup,
  });
}

/** The only allowed site; its pages try to make the scanner visit other addresses. */
async function openSite() {
  /** Reports from pages, and requests. */
  const seen: string[] = [];
  const html = (text: string) =>
    `<!doctype html><html lang="en"><title>Site</title><h1>Site</h1>${text}</html>`;
  const server = createServer((request, response) => {
    const { pathname, searchParams, search } = new URL(request.url ?? "/", "http://site.example");
    const to = searchParams.get("to") ?? "";
    seen.push(`${request.headers.host}${request.url}`);
    if (pathname === "/service-worker.js") {
      response.writeHead(200, { "content-type": "text/javascript" });
      return response.end(`fetch("http://${search.slice(1)}/service-worker", { mode: "no-cors" })`);
    }
    if (pathname === "/redirect" || pathname === "/307") {
      response.writeHead(pathname === "/307" ? 307 : 302, { location: to });
      return response.end();
    }
    // Delay: attacks run before the page counts as loaded.
    if (pathname === "/ran") return void setTimeout(() => response.end(), 1_500);
    response.setHeader("content-type", "text/html");
    if (pathname === "/by-refresh-header") response.setHeader("refresh", `0; url=${to}`);
    if (pathname === "/by-link-header")
      response.setHeader("link", `<${to}>; rel=preload; as=image, <${to}>; rel=preconnect`);
    if (pathname === "/attacks")
      return response.end(ATTACKS.replaceAll("%HOSTS%", searchParams.get("hosts") ?? ""));
    if (pathname === "/by-meta-refresh")
      return response.end(html(`<meta http-equiv="refresh" content="0; url=${to}">`));
    if (pathname === "/by-location")
      return response.end(html(`<script>location.href = ${JSON.stringify(to)}</script>`));
    if (pathname === "/by-form") {
      return response.end(
        html(`<form method="post" action="${to}"></form><script>document.forms[0].submit()</script>`),
      );
    }
    response.end(html("<p>Hello</p>"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    seen,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const check = (url: string) => scanner.check({ url, standard: STANDARD });

/** Replaces placeholders by the ports of the canaries. */
const aimed = (url: string) =>
  url.replaceAll("PORT6", String(canary6.port)).replaceAll("PORT", String(canary.port));

function expectNoVisitor() {
  expect(canary.hits()).toEqual([]);
  expect(canary6.hits()).toEqual([]);
}

function expectRefused(result: PageResult) {
  expect(result.status).toBe("failed");
  expect(["blocked_address", "invalid_url"]).toContain(result.status === "failed" && result.reason);
}

describe("a forbidden address is refused without a request", () => {
  it.concurrent.each([
    "http://127.0.0.1:PORT/",
    "https://127.0.0.1:PORT/",
    "http://127.1:PORT/",
    "http://127.255.255.254:PORT/",
    "http://2130706433:PORT/",
    "http://017700000001:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://0x7f000001:PORT/",
    "http://0x7f.0x0.0x0.0x1:PORT/",
    "http://0:PORT/",
    "http://0.0.0.0:PORT/",
    "http://①②⑦.⓪.⓪.①:PORT/",
    "http://127%2e0%2e0%2e1:PORT/",
    "http://localhost:PORT/",
    "http://LOCALHOST.:PORT/",
    "http://app.localhost:PORT/",
    "http://%6cocalhost:PORT/",
    "http://[::1]:PORT6/",
    "https://[::1]:PORT6/",
    "http://[::]:PORT6/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::ffff:7f00:1]:PORT/",
    "http://[::127.0.0.1]:PORT/",
    "http://[64:ff9b::7f00:1]:PORT/",
    "http://[2002:7f00:1::]:PORT/",
    "http://[fe80::1]:PORT6/",
    "http://private.example:PORT/",
    "https://private.example:PORT/",
    "http://private6.example:PORT6/",
    "http://mapped.example:PORT/",
    "http://mixed.example:PORT/",
    "http://metadata.example/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://metadata.google.internal/",
    "http://100.100.100.200/",
    "http://168.63.129.16/",
    "http://10.0.0.1/",
    "http://192.168.0.1/",
    "http://printer.local/",
    "http://user:secret@127.0.0.1:PORT/",
    "http://1.1.1.1@127.0.0.1:PORT/",
    "http:\\\\127.0.0.1:PORT\\",
    "http://1.1.1.1:22/",
    "http://1.1.1.1:25/",
    "http://1.1.1.1:3306/",
    "http://1.1.1.1:5432/",
    "http://1.1.1.1:6379/",
    "file:///etc/passwd",
    "file://127.0.0.1/etc/passwd",
    "data:text/html,<h1>Hello</h1>",
    "javascript:document.write('Hello')",
    "view-source:http://127.0.0.1:PORT/",
    "chrome://version",
    "about:blank",
    "ftp://127.0.0.1:PORT/",
    "ws://127.0.0.1:PORT/",
    "blob:http://127.0.0.1:PORT/0",
    "not an address",
    "",
  ])("%s", async (url) => {
    expectRefused(await check(aimed(url)));
    expectNoVisitor();
  });
});

describe("a site cannot lead the scanner to a forbidden address", () => {
  const redirect = (to: string, status = "redirect") =>
    `${site.origin}/${status}?to=${encodeURIComponent(aimed(to))}`;

  it.concurrent.each([
    "http://127.0.0.1:PORT/",
    "https://127.0.0.1:PORT/",
    "http://[::1]:PORT6/",
    "http://localhost:PORT/",
    "http://2130706433:PORT/",
    "http://[::ffff:7f00:1]:PORT/",
    "http://private.example:PORT/",
    "http://169.254.169.254/latest/meta-data/",
    "http://1.1.1.1:25/",
    "file:///etc/passwd",
    "data:text/html,<h1>Hello</h1>",
    "chrome://version",
  ])("by a redirect to %s", async (target) => {
    expectRefused(await check(redirect(target)));
    expectRefused(await check(redirect(target, "307")));
    expectRefused(await check(redirect(redirect(target))));
    expectNoVisitor();
  });

  it.concurrent.each([
    "ftp://127.0.0.1:PORT/",
    "view-source:http://127.0.0.1:PORT/",
    "javascript:document.write('x')",
  ])("by a redirect to %s", async (target) => {
    expect((await check(redirect(target))).status).toBe("failed");
    expectNoVisitor();
  });

  it.concurrent.each([
    ["meta-refresh", "http://127.0.0.1:PORT/"],
    ["meta-refresh", "file:///etc/passwd"],
    ["refresh-header", "http://private6.example:PORT6/"],
    ["refresh-header", "view-source:http://127.0.0.1:PORT/"],
    ["location", "http://localhost:PORT/"],
    ["location", "file:///etc/passwd"],
    ["form", "http://127.0.0.1:PORT/"],
    ["form", "https://[::1]:PORT6/"],
    ["link-header", "http://127.0.0.1:PORT/"],
  ])("by a %s to %s", async (way, target) => {
    const result = await check(`${site.origin}/by-${way}?to=${encodeURIComponent(aimed(target))}`);
    // The browser may stay on the page, which is checked then.
    if (result.status === "succeeded") expect(result).toMatchObject({ title: "Site", httpStatus: 200 });
    else expectRefused(result);
    expectNoVisitor();
  });
});

/** Names of the attacks that the page has tried. */
function attacksMade(): string[] {
  const report = site.seen.findLast((request) => request.includes("/ran?")) ?? "/ran?[]";
  return JSON.parse(decodeURIComponent(report.slice(report.indexOf("?") + 1)));
}

const attackUrl = () =>
  `${site.origin}/attacks?hosts=${encodeURIComponent(
    aimed("127.0.0.1:PORT [::1]:PORT6 localhost:PORT private.example:PORT"),
  )}`;

it("a page that tries every way reaches no private address", async () => {
  const result = await check(attackUrl());
  expect(result).toMatchObject({ status: "succeeded", title: "Attacks" });
  expect(attacksMade().length).toBeGreaterThan(80);
  expectNoVisitor();
});

it("a name that changes its address is looked up once", async () => {
  // The canary listens at the address of the second look-up, on the same port as the site.
  const trap = await openCanary("::1", site.port);
  const answers = [["127.0.0.1"]];
  const rebound = openScanner(async () => answers.shift() ?? ["::1"]);
  const page = `http://rebinding.example:${site.port}`;
  const url = `${page}/attacks?hosts=rebinding.example:${site.port}`;
  expect(await rebound.check({ url, standard: STANDARD })).toMatchObject({
    status: "succeeded",
    title: "Attacks",
  });
  // The next visit looks the name up again, and gets the new address.
  expectRefused(await rebound.check({ url, standard: STANDARD }));
  expect(trap.hits()).toEqual([]);
  await rebound.stop();
  await trap.close();
});

describe("control", () => {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const headless = browser.kind === "headless-shell" ? "shell" : true;

  it("without the proxy the same page reaches the canaries in every way", async () => {
    const control = await openCanary("127.0.0.1");
    const unguarded = await puppeteer.launch({ executablePath: browser.path, headless, args });
    const page = await unguarded.newPage();
    // No wait for its events: some attacks keep a connection open.
    void page.goto(`${site.origin}/attacks?hosts=127.0.0.1:${control.port}`).catch(() => undefined);
    const ways = () => new Set(control.hits());
    await expect.poll(() => ways().size).toBeGreaterThan(40);
    const expected = ["tcp", "udp", "websocket", "http GET /frame"];
    await expect.poll(() => [...ways()]).toEqual(expect.arrayContaining(expected));
    await unguarded.close();
    await control.close();
  });

  it("a browser started with the flags reaches nothing without the proxy of a visit", async () => {
    const policy = createAddressPolicy([`127.0.0.1:${site.port}`]);
    const egress = await openEgress({ policy, lookup });
    const guarded = await puppeteer.launch({
      executablePath: browser.path,
      headless,
      args: [...args, ...egressFlags()],
    });
    const requests = site.seen.length;
    for (const context of [guarded.defaultBrowserContext(), await guarded.createBrowserContext()]) {
      const page = await context.newPage();
      await expect(page.goto(site.origin)).rejects.toThrow("ERR_PROXY_CONNECTION_FAILED");
    }
    expect(site.seen).toHaveLength(requests);

    const page = await (await guarded.createBrowserContext(contextOptions(egress))).newPage();
    expect((await page.goto(site.origin))?.status()).toBe(200);
    await egress.close();
    await expect(page.goto(site.origin)).rejects.toThrow("ERR_PROXY_CONNECTION_FAILED");
    await guarded.close();
  });
});
