import type { IncomingHttpHeaders } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import criteria from "locales/en/criteria.json";
import texts from "locales/en/rules.json";
import type { PageResult, Scanner } from "~/scan/types";
import { expectChecked, reasonOf, testScanner, violationsOf, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith, type Page, type Site } from "../../support/scan/site";

const neverEnds: Page = (_request, response) => {
  response.writeHead(200, { "content-type": "text/html" });
  response.write(pageWith("").replace("</body></html>", ""));
};

const script = (code: string) => `<script>${code}</script>`;

/** Difficult pages, with expected violations besides the one image. */
const troublemakers: Record<string, Page> = {
  "a page that never finishes loading": neverEnds,
  "an image that never comes": pageWith(`<img alt="late" src="/never">`),
  "a dialog at once": pageWith(script("alert(1); confirm(2); prompt(3)")),
  "a dialog every moment": pageWith(script("setInterval(() => alert('again'), 10)")),
  "a beforeunload handler": pageWith(script("onbeforeunload = (e) => { e.preventDefault(); return 'stay' }")),
  "windows opened": pageWith(script("for (let i = 0; i < 5; i++) window.open('/popup')")),
  "a download started": pageWith(script("location.href = '/download'")),
  "questions for permissions": pageWith(
    script(
      "Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => {});" +
        "navigator.mediaDevices?.getUserMedia({ audio: true, video: true }).catch(() => {})",
    ),
  ),
  "a policy that forbids every script": {
    headers: { "content-security-policy": "default-src 'none'; img-src data:; sandbox" },
    body: pageWith(""),
  },
  "trusted types": {
    headers: { "content-security-policy": "require-trusted-types-for 'script'; trusted-types 'none'" },
    body: pageWith(""),
  },
  "overwritten natives": pageWith(
    "",
    script(
      "for (const name of ['Set', 'Map', 'WeakMap', 'Promise', 'JSON', 'Symbol', 'TextEncoder', 'MutationObserver', 'setTimeout'])" +
        " { try { window[name] = function () { throw new Error(name) } } catch {} }" +
        "for (const method of ['push', 'map', 'filter', 'forEach', 'slice', 'concat', 'indexOf'])" +
        " Array.prototype[method] = () => { throw new Error(method) };" +
        "Element.prototype.getAttribute = Element.prototype.matches = document.querySelectorAll = () => null;" +
        "Object.prototype.evil = function () {}; String.prototype.trim = () => 'x'",
    ),
  ),
  "another axe": pageWith(
    "",
    script("Object.defineProperty(window, 'axe', { value: { run() {} }, writable: false })"),
  ),
  "a script that never lets go": pageWith(script("setTimeout(() => { for (;;); }, 50)")),
  "a script that never lets go while the page loads": pageWith("", script("for (;;);")).replace(
    "<main>",
    "<main>",
  ),
  "a document that never comes to rest": pageWith(
    `<p id="p"></p>${script("setInterval(() => { document.getElementById('p').dataset.n = Math.random() }, 5)")}`,
  ),
  "images named like parts of the document": pageWith(
    `<img name="title" alt="" src="data:,"><img name="body" alt="" src="data:,"><img name="scripts" alt="" src="data:,">`,
  ),
  "a crowd of frames": pageWith(
    Array.from({ length: 60 }, (_, i) => `<iframe title="Frame ${i}" srcdoc="<p>Inside"></iframe>`).join(""),
  ),
};

const others: Record<string, Page> = {
  "/popup": pageWith("popup"),
  "/download": { headers: { "content-disposition": "attachment" }, body: "x" },
  "/never": () => {},
};

describe("a difficult page is checked", () => {
  const path = (name: string) => `/${name.replaceAll(" ", "-")}`;
  let site: Site;
  let scanner: Scanner;

  beforeAll(async () => {
    const pages = Object.entries(troublemakers).map(([name, page]) => [path(name), page] as const);
    site = await openSite({ ...Object.fromEntries(pages), ...others, "/healthy": pageWith("") });
    scanner = testScanner({ pageSeconds: 12 });
  });
  afterAll(async () => {
    await scanner.stop();
    await site.close();
  });

  const results = new Map<string, PageResult>();
  const check = (name: string) => scanner.check({ url: site.url(path(name)), standard: WCAG22AA });

  /** Result of this page's test; a second attempt checks the page again. */
  async function resultOf(name: string): Promise<PageResult> {
    const result = results.get(name);
    results.delete(name);
    return result ?? check(name);
  }

  it.each(Object.keys(troublemakers))("%s", async (name) => {
    const result = await check(name);
    results.set(name, result);
    expect(violationsOf(result)).toContain("image-alt #bare");
    expect(expectChecked(result).partial).toEqual([]);
    expect(result.durationMs).toBeLessThan(12_000);

    const next = await scanner.check({ url: site.url("/healthy"), standard: WCAG22AA });
    expect(violationsOf(next)).toEqual(["image-alt #bare"]);
  });

  it("reports a page that never finished loading", async () => {
    const endless = await resultOf("a page that never finishes loading");
    expect(expectChecked(endless).gaps.unfinished).toBe(true);
    const healthy = await scanner.check({ url: site.url("/healthy"), standard: WCAG22AA });
    expect(expectChecked(healthy).gaps).toEqual({
      frames: [],
      closedShadowRoots: 0,
      resources: 0,
      concealed: false,
      unfinished: false,
      late: [],
      missing: null,
    });
  });

  it("reports the unchecked frames among very many", async () => {
    const result = await resultOf("a crowd of frames");
    const { frames } = expectChecked(result).gaps;
    // The page has 60 frames; on a busy machine, the time ends before the 50th.
    expect(frames.length).toBeGreaterThanOrEqual(10);
    expect(frames.length).toBeLessThan(60);
  });
});

describe("a page sees an anonymous visitor", () => {
  it("with our user agent, two languages, a window of 1280 × 800, and no data of earlier visits", async () => {
    const headers: IncomingHttpHeaders[] = [];
    const site = await openSite({
      "/": (request, response) => {
        headers.push(request.headers);
        response.writeHead(200, { "content-type": "text/html", "set-cookie": "seen=1" });
        response.end(
          pageWith(
            script(
              "document.title = [innerWidth, innerHeight, localStorage.seen, document.cookie, navigator.languages].join(' ');" +
                "localStorage.seen = 1",
            ),
          ),
        );
      },
    });
    const scanner = testScanner({ userAgent: "Mozilla/5.0 (compatible; Rampe/1.0; +https://rampe.example)" });
    for (const visit of [1, 2]) {
      const page = expectChecked(await scanner.check({ url: site.url("/"), standard: WCAG22AA }));
      expect(page.title, `visit ${visit}`).toBe("1280 800 seen=1 de,en");
    }
    await scanner.stop();
    await site.close();
    for (const each of headers) {
      expect(each["user-agent"]).toBe("Mozilla/5.0 (compatible; Rampe/1.0; +https://rampe.example)");
      expect(each["accept-language"]).toBe("de,en");
      expect(each).not.toHaveProperty("cookie");
    }
  });
});

describe("a page that goes on to another one", () => {
  let site: Site;
  let scanner: Scanner;

  beforeAll(async () => {
    const hop = (to: string, ms = 0) =>
      pageWith(script(`setTimeout(() => location.replace('${to}'), ${ms})`));
    site = await openSite({
      "/refresh": `<!doctype html><title>x</title><meta http-equiv="refresh" content="0; url=/end"><p>Wait</p>`,
      "/script": hop("/script-2"),
      "/script-2": hop("/end", 60),
      "/redirect": { status: 301, headers: { location: "/end" } },
      "/late": pageWith(heavy() + script("setTimeout(() => location.replace('/end'), 150)")),
      "/for-ever": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.end(hop(`/for-ever?${Math.random()}`, 20));
      },
      "/push": pageWith(script("history.pushState({}, '', '/pushed')")),
      "/end": pageWith("End"),
    });
    scanner = testScanner();
  });
  afterAll(async () => {
    await scanner.stop();
    await site.close();
  });

  it.each(["/refresh", "/script", "/redirect", "/late"])("is checked at its last address: %s", async (path) => {
    const result = await scanner.check({ url: site.url(path), standard: WCAG22AA });
    expect(violationsOf(result)).toEqual(["image-alt #bare"]);
    expect(result).toMatchObject({ url: site.url(path), finalUrl: site.url("/end") });
  });

  it("is a redirect loop if it never ends", async () => {
    const result = await scanner.check({ url: site.url("/for-ever"), standard: WCAG22AA });
    expect(reasonOf(result)).toBe("redirect_loop");
  });

  it("is reported under the address set by its scripts", async () => {
    const result = await scanner.check({ url: site.url("/push"), standard: WCAG22AA });
    expect(result.finalUrl).toBe(site.url("/pushed"));
  });
});

describe.each([
  ["frames in the page's process", []],
  ["frames in their own processes", ["--site-per-process"]],
])("%s", (_name, browserArgs) => {
  let site: Site;
  let scanner: Scanner;

  beforeAll(async () => {
    const inner = (id: string, more = "") =>
      `<!doctype html><title>In</title><img id="${id}" src="data:,">${more}`;
    const frame = (id: string, src: string) => `<iframe id="${id}" title="${id}" src="${src}"></iframe>`;
    site = await openSite({
      "/near": inner("in-near"),
      "/deep": inner("in-deep"),
      "/foreign": inner(
        "in-foreign",
        "<iframe id=deep title=Deep></iframe><script>deep.src='/deep'</script>",
      ),
      "/": (_request, response) =>
        void response
          .writeHead(200, { "content-type": "text/html" })
          .end(
            pageWith(
              [
                frame("near", "/near"),
                frame("foreign", site.url("/foreign", "localhost")),
                frame("gone", "http://nowhere.invalid/"),
                `<iframe id="doc" title="doc" srcdoc='<img id="in-doc" src="data:,">'></iframe>`,
                `<div id="host"></div>${script(
                  "const root = host.attachShadow({ mode: 'open' });" +
                    'root.innerHTML = \'<img id="in-shadow" src="data:,"><iframe id=framed title=framed src=/near></iframe>\'',
                )}`,
              ].join(""),
            ),
          ),
      "/heard": inner("in-heard", `<div onclick="1">Inside</div>${script("document.querySelector('img').addEventListener('mouseover', () => 1)")}`),
      "/listening": pageWith(
        frame("heard", "/heard") +
          `<div id="beside" style="cursor: pointer">Buy</div><div id="host" style="cursor: pointer"></div>${script("beside.onclick = () => { document.title = 'bought' }; const root = host.attachShadow({ mode: 'open' }); root.innerHTML = '<div id=in-root>Order</div>'; root.getElementById('in-root').onclick = () => { document.title = 'ordered' }")}`,
      ),
      "/hanging": (_request, response) =>
        void response
          .writeHead(200, { "content-type": "text/html" })
          .end(pageWith(frame("far", site.url("/hang", "localhost")) + frame("near", "/near"))),
      "/hang": inner("in-hang", script("setTimeout(() => { for (;;); }, 100)")),
    });
    scanner = testScanner({ browserArgs });
  });
  afterAll(async () => {
    await scanner.stop();
    await site.close();
  });

  it("are analysed, from this site and others, with open shadow roots", async () => {
    const result = await scanner.check({ url: site.url("/"), standard: WCAG22AA });
    expect(
      violationsOf(result)
        .filter((text) => text.startsWith("image-alt"))
        .sort(),
    ).toEqual([
      "image-alt #bare",
      "image-alt #doc >> #in-doc",
      "image-alt #foreign >> #deep >> #in-deep",
      "image-alt #foreign >> #in-foreign",
      "image-alt #host,#framed >> #in-near",
      "image-alt #host,#in-shadow",
      "image-alt #near >> #in-near",
    ]);
    expect(expectChecked(result).gaps).toMatchObject({ frames: ["http://nowhere.invalid/"], resources: 1 });
  });

  it("are analysed with all rules, also with listeners inside, and so is what scripts listen to beside them", async () => {
    const own = testScanner({ ruleTexts: { ...texts, criteria } });
    try {
      const result = await own.check({ url: site.url("/listening"), standard: WCAG22AA, advanced: true, rules: { only: ["image-alt", "rampe-scripted-control"] } });
      expect(violationsOf(result).sort()).toEqual(["image-alt #bare", "image-alt #heard >> #in-heard", "rampe-scripted-control #beside", "rampe-scripted-control #host,#in-root"]);
      expect(expectChecked(result)).toMatchObject({ partial: [], gaps: { frames: [] } });
    } finally {
      await own.stop();
    }
  });

  it("do not block the page when a script in one never ends", async () => {
    const result = await scanner.check({ url: site.url("/hanging"), standard: WCAG22AA });
    expect(violationsOf(result)).toEqual(
      expect.arrayContaining([
        "image-alt #bare",
        "image-alt #far >> #in-hang",
        "image-alt #near >> #in-near",
      ]),
    );
  });
});

/** Enough content for a longer analysis. */
function heavy(): string {
  return `<div>${"<a href='#'>link</a> <span style='color:#777'>text</span> ".repeat(250)}</div>`;
}
