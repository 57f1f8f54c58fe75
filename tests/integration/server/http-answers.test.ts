import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openDemoSite } from "../../support/scan/demo-site";
import { ERRORS, httpClient, LANGUAGES, textOf } from "../../support/browser/http";
import { startServer, type TestServer } from "../../support/servers/server";
import { breakTable } from "../../support/database/server-database";
import type { Site } from "../../support/scan/site";

let site: Site;
let server: TestServer;
beforeAll(async () => {
  site = await openDemoSite();
  server = await startServer({
    env: { SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, FREE_CHECKS_PER_HOUR: "1000" },
  });
});
afterAll(async () => {
  await server.stop();
  await site.close();
});

const { ask, post } = httpClient(() => server);

describe("every answer", () => {
  const answers = () => Promise.all(["/", "/", "/bfsg", "/no/such/page"].map((path) => ask(path)));

  test("allows only its own scripts, by a nonce that is used once", async () => {
    const nonces = new Set<string>();
    for (const answer of await answers()) {
      const policy = answer.headers.get("content-security-policy") ?? "";
      const [, nonce = "none"] = /script-src 'self' 'nonce-([\w+/=]{20,})'(;|$)/.exec(policy) ?? [];
      expect(policy).toMatch(/default-src 'none'/);
      expect(policy).toMatch(/frame-ancestors 'none'/);
      expect(policy, "no third party, nothing inline").not.toMatch(/unsafe|https?:|\*/);
      nonces.add(nonce);

      const html = await answer.text();
      const scripts = [...html.matchAll(/<script\b([^>]*)>/g)].map(([, attributes]) => attributes ?? "");
      expect(scripts.length).toBeGreaterThan(1);
      for (const attributes of scripts) expect(attributes).toContain(`nonce="${nonce}"`);
      expect(html).not.toMatch(/<[^>]+\s(style|on[a-z]+)="/);
      expect(html).not.toContain("<style");
    }
    expect(nonces.size).toBe(4);
  });

  test("starts its scripts after the first paint", async () => {
    for (const answer of await answers()) {
      const html = await answer.text();
      expect(html.match(/<script [^>]*type="text\/plain"/g)).toHaveLength(1);
      expect(html).not.toMatch(/<script [^>]*(type="module"|\bsrc=|\basync\b)/);
      expect(html.match(/<link rel="modulepreload"/g)?.length).toBe(html.match(/<link rel="modulepreload" media="not all"/g)?.length);
    }
  });

  test("loads nothing from other hosts", async () => {
    for (const answer of await answers()) {
      const html = await answer.text();
      // Addresses of a page in other languages are only links, not loaded.
      const loaded = [...html.matchAll(/<(?:link(?! rel="(?:canonical|alternate)")|script|img)\b[^>]*?\b(?:href|src)="([^"]+)"/g)].map(([, address]) => address);
      expect(loaded.length).toBeGreaterThan(3);
      for (const address of loaded) expect(address).toMatch(/^\/(?!\/)/);
    }
  });

  test("has security headers, and does not name the server software", async () => {
    for (const answer of await answers()) {
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
      });
      expect(answer.headers.get("x-powered-by")).toBeNull();
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  test("has a unique reference that is also in the log, without the client address", async () => {
    const secret = { "accept-language": "en", "user-agent": "Mozilla/5.0 (secret)", cookie: "locale=en; other=secret" };
    const [one, other] = await Promise.all([ask("/wcag?secret=1", { headers: secret }), ask("/wcag")]);
    const references = [one, other].map(({ headers }) => headers.get("x-request-id"));
    expect(references[0]).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
    expect(references[1]).not.toBe(references[0]);
    const line = await server.logged(({ req }) => (req as { id?: string } | undefined)?.id === references[0]);
    expect(line).toMatchObject({ level: 30, req: { method: "GET", path: "/wcag" }, res: { status: 200 } });
    expect(JSON.stringify(line)).not.toMatch(/secret|127\.0\.0\.1/);
  });

  test("leaves no secret link in the log", async () => {
    const result = (await post("/?index", { url: site.url("/clean") })).headers.get("location") ?? "none";
    const answers = await Promise.all([ask(result), ask(`${result}.data`)]);
    for (const { headers } of answers) {
      await server.logged(({ req }) => (req as { id?: string } | undefined)?.id === headers.get("x-request-id"));
    }
    expect(JSON.stringify(server.log())).not.toContain(result);
  });

  test.each(["br", "gzip"])("is compressed by %s if the client accepts it", async (encoding) => {
    const asset = /href="(\/assets\/[^"]+\.css)"/.exec(await (await ask("/")).text())?.[1] ?? "none";
    for (const path of ["/", "/check/AAAAAAAAAAAAAAAAAAAAAA", asset]) {
      const compressed = await ask(path, { headers: { "accept-encoding": encoding } });
      expect(compressed.headers.get("content-encoding"), path).toBe(encoding);
      const plain = await ask(path, { headers: { "accept-encoding": "identity" } });
      expect(plain.headers.get("content-encoding"), path).toBeNull();
      expect(compressed.headers.get("vary")).toMatch(/Accept-Encoding/i);
      if (path === asset) expect(await compressed.text()).toBe(await plain.text());
    }
  });

  test("has files that browsers cache for ever: a changed one has another name", async () => {
    const html = await (await ask("/")).text();
    const assets = [...new Set([...html.matchAll(/"(\/assets\/[^"]+\.(?:js|css|woff2))"/g)].map(([, path]) => path ?? ""))];
    expect(assets.length).toBeGreaterThan(3);
    for (const path of assets) {
      const answer = await ask(path);
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get("cache-control"), path).toBe("public, max-age=31536000, immutable");
      expect(path).toMatch(/-[\w-]{8,}\.\w+$/);
    }
  });
});

describe("a post from another site", () => {
  test("is refused with a client error, and starts nothing", async () => {
    const answer = await post("/?index", { url: site.url("/clean") }, { origin: "https://evil.example" });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
});

describe("an unusual request", () => {
  /** Answer of a server to these exact bytes, until it closes the connection, and the time until then in ms. */
  async function raw(bytes: string, at = server): Promise<{ said: string; ms: number }> {
    const begun = performance.now();
    const socket = connect(Number(new URL(at.origin).port), "127.0.0.1");
    let said = "";
    socket.on("data", (chunk) => (said += chunk.toString()));
    socket.write(bytes);
    await once(socket, "close");
    return { said, ms: performance.now() - begun };
  }

  test("with a full address, as to a proxy, is one for its path", async () => {
    const { said } = await raw("GET http://anywhere.example/?a=b HTTP/1.1\r\nHost: anywhere.example\r\nConnection: close\r\n\r\n");
    expect(said).toMatch(/^HTTP\/1\.1 200 /);
    const { said: broken } = await raw("GET http://[ HTTP/1.1\r\nHost: anywhere.example\r\nConnection: close\r\n\r\n");
    expect(broken).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(broken).not.toContain("node_modules");
  });

  test("that arrives very slowly is ended", { timeout: 40_000 }, async () => {
    const { said, ms } = await raw("GET / HTTP/1.1\r\nHost: local");
    expect(said).toMatch(/^HTTP\/1\.1 408 /);
    expect(ms).toBeLessThan(30_000);
  });

  test("for another host name is refused if BASE_URL is set", async () => {
    const bound = await startServer({ env: { BASE_URL: "http://rampe.test" } });
    onTestFinished(async () => void (await bound.stop()));
    const send = (host: string, at: TestServer) =>
      raw(`POST /settings/language HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`, at);
    expect((await send("evil.example", bound)).said).toMatch(/^HTTP\/1\.1 403 /);
    expect((await send("rampe.test", bound)).said).not.toMatch(/^HTTP\/1\.1 403 /);
    expect((await send("intranet.example", server)).said).not.toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe.each(LANGUAGES)("an address without a page (%s)", (language) => {
  const headers = { "accept-language": language };
  const picture = "/check/AAAAAAAAAAAAAAAAAAAAAA/picture/image-alt/0";

  test.each([
    ["GET", picture, 404, "notFound"],
    ["POST", picture, 405, "methodNotAllowed"],
    ["POST", "/runs/AAAAAAAAAAAAAAAAAAAAAA", 405, "methodNotAllowed"],
    ["POST", "/account/export", 405, "methodNotAllowed"],
  ] as const)("explains an error, with a way on: %s %s", async (method, path, status, kind) => {
    const answer = await ask(path, { method, headers, ...(method === "POST" && { body: new URLSearchParams() }) });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
    if (status === 405) expect(answer.headers.get("allow")).toBe("GET, HEAD");
    const html = await answer.text();
    expect(html).toContain(`<html lang="${language}"`);
    expect(textOf(html)).toContain(ERRORS[language][kind].title);
    expect(textOf(html)).toContain(ERRORS[language].reference.replace("{{reference}}", answer.headers.get("x-request-id") ?? "none"));
    expect(html).toContain('href="/"');
  });

  test("answers requests of scripts with data", async () => {
    const answer = await ask(`${picture}.data`, { headers });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/x-script; charset=utf-8"]);
    expect(await answer.text()).not.toContain("<html");
  });
});

describe("with a broken database", () => {
  let broken: TestServer;
  beforeAll(async () => {
    broken = await startServer();
    await breakTable(broken, "run");
  });
  afterAll(() => broken.stop());

  const cases = LANGUAGES.flatMap((language) => ["", "/picture/image-alt/0"].map((part) => [language, `/check/AAAAAAAAAAAAAAAAAAAAAA${part}`] as const));

  test.each(cases)("the visitor sees an error page (%s), and the log has the reference and the reason: %s", async (language, path) => {
    const answer = await ask(path, { headers: { "accept-language": language } }, broken);
    expect(answer.status).toBe(500);
    const reference = answer.headers.get("x-request-id") ?? "none";
    const html = await answer.text();
    expect(textOf(html)).toContain(ERRORS[language].broken.title);
    expect(textOf(html)).toContain(ERRORS[language].reference.replace("{{reference}}", reference));
    const { err } = await broken.logged(
      ({ level, req, err }) => level === 50 && (req as { id?: string } | undefined)?.id === reference && err !== undefined,
    );
    const { message } = err as { message: string };
    expect(message).toContain("run");
    for (const detail of [message, "node_modules"]) expect(html).not.toContain(detail);
  });

  test("/healthz reports it", async () => {
    const answer = await ask("/healthz", {}, broken);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ ok: false, database: "failed", scanner: "ok", disk: "ok" });
    const ready = await ask("/readyz", {}, broken);
    expect([ready.status, await ready.json()]).toMatchObject([503, { ready: false, reason: "database" }]);
  });
});
