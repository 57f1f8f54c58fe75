import { createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Reason, Scanner, UncheckedPage } from "~/scan/types";
import { reasonOf, testScanner, WCAG22AA } from "../../support/scan/scanner";
import { openSite, pageWith, type Page, type Site } from "../../support/scan/site";

const form = "<h1>Log in</h1><form><label>Name <input></label><label>Password <input type=password></label></form>";
const signIn = `<!doctype html><html lang="en"><title>Log in</title><main>${form}</main>`;
const to = (location: string): Page => ({ status: 302, headers: { location } });

/** Sign-in pages, and other pages that only look similar. */
const signIns: Record<string, Page> = {
  "/login": signIn,
  "/login-refused": { status: 403, body: signIn },
  "/shadow/login": `<!doctype html><html lang="en"><title>Log in</title><main id="app"></main>
    <script>app.attachShadow({ mode: "open" }).innerHTML = ${JSON.stringify(form)}</script>`,
  "/old": to("/new"),
  "/new": pageWith("<form><label>Password for the newsletter <input type=password></label></form>"),
  "/start": to("/welcome?from=%2Fstart"),
  "/welcome": pageWith("").replace("<main>", "<header><label>Password <input type=password></label></header><main>"),
  "/away": (_request, response) => void response.writeHead(302, { location: signInElsewhere }).end(),
};
let signInElsewhere = "";

/** Answers that are not the requested page, with the expected reason. */
const answers: Record<string, { reason: Reason; page: Page; detail?: UncheckedPage["detail"] }> = {
  "/gone": { reason: "http_status", page: { status: 404, body: pageWith("") }, detail: { httpStatus: 404 } },
  "/broken": { reason: "http_status", page: { status: 500 }, detail: { httpStatus: 500 } },
  "/broken.json": {
    reason: "http_status",
    page: { status: 500, headers: { "content-type": "application/json" }, body: "{}" },
  },
  "/unauthorized": { reason: "login_required", page: { status: 401, body: pageWith("") }, detail: { httpStatus: 401 } },
  "/unauthorized.json": {
    reason: "login_required",
    page: { status: 401, headers: { "content-type": "application/json" }, body: "{}" },
    detail: { httpStatus: 401 },
  },
  "/forbidden": { reason: "http_status", page: { status: 403, body: signIn }, detail: { httpStatus: 403 } },
  "/konto": { reason: "login_required", page: to("/login?returnTo=%2Fkonto") },
  "/konto-refused": { reason: "login_required", page: to("/login-refused?returnTo=%2Fkonto-refused") },
  "/konto-refresh": {
    reason: "login_required",
    page: "<!doctype html><html lang=en><title>Wait</title><meta http-equiv=refresh content='0;url=/login'><p>Wait",
  },
  "/konto-script": { reason: "login_required", page: "<p>Wait</p><script>location.replace('/login?next=/konto-script')</script>" },
  "/konto-pushed": {
    reason: "login_required",
    page: `<!doctype html><html lang=en><title>App</title><main id=app>Wait</main><script>
      setTimeout(() => { history.replaceState(null, "", "/login"); app.innerHTML = ${JSON.stringify(form)}; }, 50);
    </script>`,
  },
  "/konto-shadow": { reason: "login_required", page: to("/shadow/login") },
  "/json": { reason: "not_html", page: { headers: { "content-type": "application/json" }, body: '{"a":1}' } },
  "/text": { reason: "not_html", page: { headers: { "content-type": "text/plain" }, body: "Hello" } },
  "/pdf": { reason: "not_html", page: { headers: { "content-type": "application/pdf" }, body: "%PDF-1.4" } },
  "/image": { reason: "not_html", page: { headers: { "content-type": "image/svg+xml" }, body: "<svg xmlns='http://www.w3.org/2000/svg'><circle r='9'/></svg>" } },
  "/file": {
    reason: "download",
    page: { headers: { "content-disposition": 'attachment; filename="a.html"' }, body: pageWith("") },
  },
  "/bytes": {
    reason: "download",
    page: { headers: { "content-type": "application/octet-stream" }, body: Buffer.of(0, 1, 2) },
  },
  "/loop": { reason: "redirect_loop", page: { status: 302, headers: { location: "/loop" } } },
  "/nothing": { reason: "empty", page: "" },
  "/no-content": { reason: "empty", page: { status: 204 } },
  "/blank": {
    reason: "empty",
    page: "<!doctype html><html lang=en><title>Blank</title><body> <script>1</script></body>",
  },
  "/noscript": {
    reason: "empty",
    page: "<!doctype html><html lang=en><title>App</title><body><div id=app></div><noscript>Switch it on</noscript>",
  },
  "/cloudflare": {
    reason: "bot_protection",
    page: { status: 403, headers: { "cf-mitigated": "challenge" }, body: pageWith("Just a moment") },
    detail: { technical: "Cloudflare" },
  },
  "/moment": {
    reason: "bot_protection",
    page: "<!doctype html><title>Just a moment...</title><p>Checking</p>",
  },
  "/datadome": {
    reason: "bot_protection",
    page: { status: 403, body: "<p>x</p><script src='https://ct.captcha-delivery.com/c.js'></script>" },
  },
  "/huge": {
    reason: "too_large",
    page: (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      // Endless answer: the visit must stop first.
      const more = () => {
        while (!response.destroyed && response.write(`<p>${"more ".repeat(20_000)}</p>`));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    },
  },
  "/announced-huge": {
    reason: "too_large",
    page: (_request, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-length": "200000000" });
      response.write("<p>Begin");
    },
  },
  "/to-metadata": {
    reason: "blocked_address",
    page: { status: 302, headers: { location: "http://169.254.169.254/latest/meta-data/" } },
    detail: {},
  },
  "/to-file": {
    reason: "blocked_address",
    page: { status: 302, headers: { location: "file:///etc/passwd" } },
  },
  "/to-mail": {
    reason: "blocked_address",
    page: { status: 302, headers: { location: "http://127.0.0.1:25/" } },
  },
  "/to-ftp": {
    reason: "blocked_address",
    page: { status: 302, headers: { location: "ftp://127.0.0.1/x" } },
    detail: { address: "ftp://127.0.0.1/x" },
  },
  "/to-source": {
    reason: "blocked_address",
    page: { status: 302, headers: { location: "view-source:http://127.0.0.1/" } },
    detail: { address: "view-source:http://127.0.0.1/" },
  },
  "/to-app": {
    reason: "blocked_address",
    page: { status: 302, headers: { location: "intent://scan/" } },
  },
  "/no-proxy": {
    reason: "http_status",
    page: { status: 407, headers: { "proxy-authenticate": "Basic" }, body: pageWith("") },
    detail: { httpStatus: 407 },
  },
  "/no-http": {
    reason: "refused",
    page: ({ socket }) => void socket.end("SSH-2.0-OpenSSH_9.9\r\n"),
    detail: { technical: "no HTTP (HPE_INVALID_CONSTANT)" },
  },
  "/all-headers": {
    reason: "too_large",
    page: (_request, response) => void response.writeHead(200, { "x-long": "x".repeat(30_000) }).end(),
    detail: { technical: "no HTTP (HPE_HEADER_OVERFLOW)" },
  },
  "/no-gzip": {
    reason: "empty",
    page: { headers: { "content-encoding": "gzip" }, body: pageWith("") },
    detail: { technical: "net::ERR_CONTENT_DECODING_FAILED" },
  },
  "/to-nowhere": {
    reason: "dns",
    page: { status: 302, headers: { location: "http://nowhere.invalid/" } },
  },
  "/script-to-nowhere": {
    reason: "dns",
    page: "<p>Wait</p><script>location.href='http://nowhere.invalid/'</script>",
  },
  "/script-to-json": { reason: "not_html", page: "<p>Wait</p><script>location.href='/json'</script>" },
  "/hang-up": { reason: "refused", page: (request) => request.socket.destroy() },
};

describe("a page that cannot be checked is never called clean", () => {
  let site: Site;
  let scanner: Scanner;

  beforeAll(async () => {
    site = await openSite(
      Object.fromEntries([...Object.entries(answers).map(([path, { page }]) => [path, page]), ...Object.entries(signIns)]),
    );
    // The same server under a name that is another site for a browser.
    signInElsewhere = site.url("/login?client_id=1&redirect_uri=%2Fcallback", "localhost");
    scanner = testScanner();
  });
  afterAll(async () => {
    await scanner.stop();
    await site.close();
  });

  const check = (url: string) => scanner.check({ url, standard: WCAG22AA });

  it.each(Object.entries(answers).map(([path, { reason, detail }]) => ({ path, reason, detail })))(
    "$path fails with $reason",
    async ({ path, reason, detail = {} }) => {
      const began = performance.now();
      const result = await check(site.url(path));
      expect(result).toMatchObject({ status: "failed", reason, detail });
      // No answer needs a time-out.
      expect(performance.now() - began).toBeLessThan(8_000);
    },
  );

  it("a sign-in is reported with its address, also after a script or on another site", async () => {
    expect(await check(site.url("/konto"))).toMatchObject({ finalUrl: site.url("/login?returnTo=%2Fkonto") });
    expect(await check(site.url("/konto-pushed"))).toMatchObject({ finalUrl: site.url("/login") });
    expect(await check(site.url("/away"))).toMatchObject({ reason: "login_required", finalUrl: signInElsewhere });
  });

  it("a requested sign-in page is checked, and a password field alone is not a sign-in", async () => {
    expect(await check(site.url("/login"))).toMatchObject({ status: "succeeded", title: "Log in" });
    expect(await check(site.url("/old"))).toMatchObject({ status: "succeeded", finalUrl: site.url("/new") });
    expect(await check(site.url("/start"))).toMatchObject({ status: "succeeded", finalUrl: site.url("/welcome?from=%2Fstart") });
  });

  it("an invalid address, or no web address, is invalid_url", async () => {
    for (const url of [
      "nonsense",
      "file:///etc/passwd",
      "data:text/html,<h1>x</h1>",
      "chrome://version",
      "about:blank",
    ]) {
      expect(reasonOf(await check(url)), url).toBe("invalid_url");
    }
  });

  it("a closed port is refused, a private address is blocked, a name without an address is dns", async () => {
    const { port } = await closedPort();
    expect(reasonOf(await check(`http://127.0.0.1:${port}/`))).toBe("refused");
    expect(reasonOf(await check(`https://127.0.0.1:${port}/`))).toBe("refused");
    expect(reasonOf(await check("http://10.0.0.1/"))).toBe("blocked_address");
    expect(reasonOf(await check("https://10.0.0.1/"))).toBe("blocked_address");
    expect(reasonOf(await check("http://nowhere.invalid/"))).toBe("dns");
    expect(reasonOf(await check("https://nowhere.invalid/"))).toBe("dns");
  });

  it("the target of a redirect that was not followed is reported with the reason", async () => {
    expect(await check(site.url("/to-metadata"))).toMatchObject({
      finalUrl: "http://169.254.169.254/latest/meta-data/",
    });
  });

  it("an untrusted certificate is tls, and so is a server without TLS", async () => {
    const secure = await openSite({ "/": pageWith("") }, { tls: true });
    expect(await check(secure.url("/"))).toMatchObject({
      reason: "tls",
      detail: { technical: "net::ERR_CERT_AUTHORITY_INVALID" },
    });
    await secure.close();
    expect(reasonOf(await check(`https://127.0.0.1:${site.port}/`))).toBe("tls");
  });
});

describe("a site that never answers takes no longer than the page's time limit", () => {
  let scanner: Scanner;
  let silent: Server;

  beforeAll(async () => {
    scanner = testScanner({ pageSeconds: 3 });
    silent = createServer((socket) => socket.resume().on("error", () => {}));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    await scanner.stop();
    silent.close();
  });

  it("fails with timeout, and its connection is closed", async () => {
    const { port } = silent.address() as AddressInfo;
    const result = await scanner.check({ url: `http://127.0.0.1:${port}/`, standard: WCAG22AA });
    expect(result).toMatchObject({ status: "failed", reason: "timeout" });
    expect(result.durationMs).toBeLessThan(3_500);
    await expect.poll(() => connections(silent)).toBe(0);
  });
});

function connections(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

/** A port that is probably free. */
async function closedPort(): Promise<{ port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return { port };
}
