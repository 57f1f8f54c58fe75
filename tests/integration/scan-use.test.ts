import puppeteer from "puppeteer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import type { CheckedPage, PageRequest } from "~/scan/types";
import { checkWhole, judgeByScan } from "../support/judge-page";
import { readRuleCases } from "../support/rule-cases";
import { browserPath, expectChecked, testScanner, WCAG22AA } from "../support/scanner";
import { minutes } from "../support/patience";
import { openSite, pageWith, type Site } from "../support/site";

const scanner = testScanner({ ruleTexts: { ...texts, criteria } });
afterAll(() => scanner.stop());

const RULES_OF_WALK = ["rampe-focus-visible", "rampe-focus-removed", "rampe-focus-covered", "rampe-focus-context", "rampe-keyboard-trap"];

const elementsOf = ({ findings }: CheckedPage, ruleId: string) => findings.violations.find((rule) => rule.ruleId === ruleId)?.elements ?? [];

describe("what the focus alone starts is seen, and does not happen", () => {
  const cases = readRuleCases().filter(({ ruleId }) => ruleId === "rampe-focus-context");
  let site: Site;
  beforeAll(async () => {
    site = await openSite(Object.fromEntries(cases.map(({ markup }, index) => [`/${index}`, pageWith(markup)])));
  });
  afterAll(() => site.close());

  it.concurrent.for(cases.map((each, index) => ({ ...each, index })))("$expected: $title", async ({ expected, index }, { expect }) => {
    // On a busy machine, an effect may come too late to be seen.
    await expect.poll(() => judgeByScan(scanner, site.url(`/${index}`), "rampe-focus-context")).toBe(expected);
    expect(site.requests.filter((path) => !/^\/\d+$|^\/robots/.test(path))).toEqual([]);
  });
});

/** Each sends to an address of its own below `/out/`, when a key is pressed or an element gets the focus; the page stays. */
const WAYS_OUT: Record<string, string> = {
  fetch: `fetch("/out/fetch")`,
  keepalive: `fetch("/out/keepalive", { method: "POST", body: "x", keepalive: true })`,
  xhr: `const xhr = new XMLHttpRequest(); xhr.open("POST", "/out/xhr"); xhr.send("x")`,
  beacon: `navigator.sendBeacon("/out/beacon", "x")`,
  image: `new Image().src = "/out/image"`,
  script: `document.head.append(Object.assign(document.createElement("script"), { src: "/out/script" }))`,
  style: `document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/out/style" }))`,
  prefetch: `document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href: "/out/prefetch" }))`,
  font: `new FontFace("out", "url(/out/font)").load().catch(() => {})`,
  frame: `document.body.append(Object.assign(document.createElement("iframe"), { src: "/out/frame" }))`,
  ping: `const a = document.createElement("a"); a.href = "#"; a.ping = "/out/ping"; document.body.append(a); a.click()`,
  window: `open("/out/window")`,
  socket: `new WebSocket("ws://" + location.host + "/out/socket")`,
  events: `new EventSource("/out/events")`,
  worker: `new Worker("/out/worker")`,
  blob: `new Worker(URL.createObjectURL(new Blob(["fetch('" + location.origin + "/out/blob')"])))`,
  service: `navigator.serviceWorker?.register("/out/service")`,
};

/** The same, but the page may go. */
const WAYS_AWAY: Record<string, string> = {
  form: `document.getElementById("form").submit()`,
  "form in a frame": `const form = document.getElementById("form"); form.target = "frame"; form.submit()`,
  link: `document.getElementById("link").click()`,
  download: `const a = document.createElement("a"); a.href = "/out/download"; a.download = ""; document.body.append(a); a.click()`,
  location: `location = "/out/location"`,
  unload: `addEventListener("pagehide", () => navigator.sendBeacon("/out/unload", "x"))`,
};

describe("nothing leaves the browser while a page is used", () => {
  const pageOf = (...codes: string[]) =>
    pageWith(
      `<a href="/other">First</a><button type="button">Second</button><a id="link" href="/out/link">Third</a>
       <form id="form" action="/out/form" method="post"><input aria-label="Name"></form><iframe name="frame" title="Frame" srcdoc=""></iframe>
       <script>const ways = [${codes.map((code) => `() => { ${code} }`).join()}];
       const tryAll = () => ways.forEach((way) => { try { way() } catch {} });
       for (const type of ["keydown", "keyup", "focusin", "blur"]) addEventListener(type, tryAll, true)</script>`,
    );
  const pages: Record<string, string> = { "every way that keeps the page": pageOf(...Object.values(WAYS_OUT)), ...Object.fromEntries(Object.entries(WAYS_AWAY).map(([name, code]) => [name, pageOf(code)])) };
  const names = Object.keys(pages);
  let site: Site;
  beforeAll(async () => {
    site = await openSite(Object.fromEntries(names.map((name, index) => [`/${index}`, pages[name] ?? ""])));
  });
  afterAll(() => site.close());

  it.concurrent.each(names.map((name, index) => ({ name, index })))("$name", async ({ index }) => {
    const { findings, gaps } = expectChecked(await scanner.check({ url: site.url(`/${index}`), standard: WCAG22AA, advanced: true }));
    expect(findings.violations.map(({ ruleId }) => ruleId)).toContain("image-alt");
    expect(site.requests.filter((path) => path.startsWith("/out"))).toEqual([]);
    // Some end, or are ended by the page, before they become requests.
    if (index === 0) expect(gaps.offline).toBeGreaterThanOrEqual(3);
  });

  it("although each of them would reach the server", { timeout: minutes(3) }, async () => {
    const browser = await puppeteer.launch({ executablePath: browserPath(), headless: "shell", args: ["--no-sandbox"] });
    const sent = (since: number) => site.requests.slice(since).filter((path) => path.startsWith("/out"));
    try {
      for (const [index, name] of names.entries()) {
        const before = site.requests.length;
        const page = await browser.newPage();
        await page.goto(site.url(`/${index}`));
        // A page that leaves does not answer any more.
        void page.keyboard.press("Tab").catch(() => {});
        if (name === "unload") await page.waitForFunction(() => document.activeElement !== document.body).then(() => page.goto("about:blank"));
        const expected = index === 0 ? Object.keys(WAYS_OUT).map((way) => `/out/${way}`) : [expect.stringMatching(/^\/out\//)];
        await expect.poll(() => sent(before), { message: name, timeout: 60_000 }).toEqual(expect.arrayContaining(expected));
      }
    } finally {
      await browser.close();
    }
  });
});

describe("a walk by keyboard", () => {
  const check = async (body: string, advanced = true, rules?: PageRequest["rules"]) => {
    const site = await openSite({ "/": pageWith(body) });
    try {
      return expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA, advanced, rules, pictures: true }));
    } finally {
      await site.close();
    }
  };

  it("finds a trap, shows it, and says what it did not reach", async () => {
    const result = await check(`<input id="trap" aria-label="Voucher" onkeydown="if (event.key === 'Tab') event.preventDefault()"><button type="button">Redeem</button>`);
    expect(elementsOf(result, "rampe-keyboard-trap")).toMatchObject([{ target: ["#trap"], picture: expect.any(Uint8Array) as Uint8Array }]);
    expect(result.partial).toEqual(expect.arrayContaining(RULES_OF_WALK.filter((id) => id !== "rampe-focus-context")));
  });

  it("goes through the whole page, also if the page sets the focus itself", async () => {
    const site = await openSite({ "/": pageWith(`<button type="button" onfocus="this.blur()">One</button><input id="two" aria-label="Two" autofocus><button type="button">Three</button>`) });
    try {
      const result = await checkWhole(scanner, { url: site.url("/"), advanced: true });
      expect(elementsOf(result, "rampe-focus-removed")).toMatchObject([{ target: ["button[onfocus=\"this.blur()\"]"] }]);
      expect(result.gaps.offline).toBe(0);
    } finally {
      await site.close();
    }
  });

  it("belongs to an advanced analysis alone", async () => {
    const result = await check(`<input aria-label="Voucher" onkeydown="if (event.key === 'Tab') event.preventDefault()">`, false);
    const known = Object.values(result.findings).flat().map(({ ruleId }) => ruleId);
    expect(known).not.toContain("rampe-keyboard-trap");
    expect(result.gaps.offline).toBeUndefined();
  });

  it.each([
    ["a key handler that never ends", `<a href="/next">Next</a><script>addEventListener("keydown", () => { for (;;); })</script>`],
    ["focus that flees", `<button id="a">A</button><button id="b">B</button><script>a.onfocus = () => b.focus(); b.onfocus = () => a.focus()</script>`],
    ["an element for each focus", `<button>A</button><script>addEventListener("focusin", () => document.querySelector("main").append(document.createElement("button")))</script>`],
    ["10,000 elements that get the focus", `<script>document.querySelector("main").insertAdjacentHTML("beforeend", "<button>More</button>".repeat(10000))</script>`],
    ["another document", `<button onfocus="document.open(); document.write('<p>Gone</p>'); document.close()">A</button>`],
    ["an empty page instead", `<button onfocus="location = 'about:blank'">A</button>`],
    ["dialogs of the browser", `<button onfocus="alert(1); confirm(2); prompt(3)">A</button>`],
    ["full screen, print and a picker of files", `<input type="file" id="f" aria-label="File" onkeyup="this.click(); print(); document.documentElement.requestFullscreen()">`],
  ])("ends in its budget, and keeps the other results: %s", async (_what, body) => {
    const result = await check(body, true, { only: ["image-alt", ...RULES_OF_WALK] });
    expect(result.findings.violations.map(({ ruleId }) => ruleId)).toContain("image-alt");
    expect(result.durationMs).toBeLessThan(60_000);
  });
});
