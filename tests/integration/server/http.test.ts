import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import germanHome from "locales/de/home.json";
import englishHome from "locales/en/home.json";
import { openDemoSite } from "../../support/scan/demo-site";
import { ERRORS, httpClient, LANGUAGES, textOf } from "../../support/browser/http";
import { plainPages } from "../../support/browser/own-pages";
import { startServer, type TestServer } from "../../support/servers/server";
import type { Site } from "../../support/scan/site";

const METRICS_TOKEN = "a word for Prometheus";

let site: Site;
let server: TestServer;
beforeAll(async () => {
  site = await openDemoSite();
  server = await startServer({
    env: { SCAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, FREE_CHECKS_PER_HOUR: "1000", METRICS_TOKEN },
  });
});
afterAll(async () => {
  await server.stop();
  await site.close();
});

const { ask, post } = httpClient(() => server);

const mainOf = (html: string) => /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "no main";

describe("the free check", () => {
  test("a valid form is answered with 303 to an address that cannot be guessed, which shows the result", async () => {
    const answer = await post("/?index", { url: site.url("/barriers") });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toMatch(/^\/check\/[\w-]{22}$/);
    const ready = () => ask(answer.headers.get("location") ?? "");
    const result = await ready();
    expect(result.status).toBe(200);
    expect(result.headers.get("cache-control")).toContain("private");
    expect(result.headers.get("x-robots-tag")).toBe("noindex");
    // On a busy machine, the first answer is the progress.
    await expect.poll(async () => mainOf(await (await ready()).text())).toContain('id="rule-image-alt"');
  });

  const refused: [what: string, url: string, problem: keyof typeof germanHome.address][] = [
    ["nothing", "  ", "missing"],
    ["a word", "startseite", "not_an_address"],
    ["a mail address", "mailto:info@example.com", "scheme"],
    ["a file", "file:///etc/passwd", "scheme"],
    ["an address with a password", "https://admin:secret@example.com", "credentials"],
    ["a mail server", "http://example.com:25/", "port"],
    ["this machine", "http://127.0.0.1:1/", "private"],
    ["a private network", "https://192.168.0.1/", "private"],
    ["more than an address", `https://example.com/${"a".repeat(2_100)}`, "too_long"],
  ];
  test.each(refused)("%s is answered with 422 and the reason in both languages", async (_what, url, problem) => {
    for (const [language, texts] of [["de", germanHome], ["en", englishHome]] as const) {
      const answer = await post("/?index", { url }, { "accept-language": language });
      expect(answer.status).toBe(422);
      const shown = (await answer.text()).split(texts.address[problem]).length - 1;
      expect(shown, "in the summary, at the field, and in what scripts read").toBeGreaterThanOrEqual(2);
    }
  });

  test("a form without the field counts as empty", async () => {
    const answer = await post("/?index", {});
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain(germanHome.address.missing);
  });

  test("the typed text is shown as text", async () => {
    const answer = await post("/?index", { url: `"><script>alert(1)</script>` });
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(html).not.toContain("<script>alert");
    expect(html).toContain(`value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"`);
  });

  test("a check over the rate limit is answered with the time to retry, whatever client address it claims", async () => {
    const strict = await startServer({ env: { FREE_CHECKS_PER_HOUR: "1" } });
    try {
      const check = (from: string) => post("/?index", { url: "https://nowhere.invalid/" }, { "x-forwarded-for": from }, strict);
      expect((await check("192.0.2.1")).status).toBe(303);
      const refusal = await check("192.0.2.2");
      expect(refusal.status).toBe(429);
      expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(3_500);
      expect(await refusal.text()).toContain('value="https://nowhere.invalid/"');
    } finally {
      await strict.stop();
    }
  });

  test("behind a proxy, each visitor has a limit of their own", async () => {
    const proxied = await startServer({ env: { FREE_CHECKS_PER_HOUR: "1", TRUST_PROXY: "1" } });
    try {
      const check = (from: string) => post("/?index", { url: "https://nowhere.invalid/" }, { "x-forwarded-for": from }, proxied);
      expect((await check("192.0.2.1")).status).toBe(303);
      expect((await check("192.0.2.2")).status).toBe(303);
      expect((await check("forged, 192.0.2.1")).status).toBe(429);
    } finally {
      await proxied.stop();
    }
  });
});

describe("addresses", () => {
  test.each([
    ["/kontakt", "/contact"],
    ["/impressum", "/imprint"],
    ["/datenschutz", "/privacy"],
    ["/barrierefreiheit", "/accessibility"],
  ])("%s is %s", async (alias, path) => {
    const init = { headers: { "accept-language": "de" } };
    const [one, other] = await Promise.all([ask(alias, init), ask(path, init)]);
    expect([one.status, other.status]).toEqual([200, 200]);
    // A form is sent to the path of its page.
    expect(mainOf(await one.text()).replaceAll(alias, path)).toBe(mainOf(await other.text()).replaceAll(alias, path));
  });

  test("/pricing is a section of the home page", async () => {
    const answer = await ask("/pricing");
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("/#pricing");
    expect(await (await ask("/")).text()).toContain('id="pricing"');
  });

  test("the page of a rule leads to its examples, which run nothing and are for no search engine", async () => {
    for (const language of LANGUAGES) {
      const html = await (await ask("/rules/color-contrast", { headers: { "accept-language": language } })).text();
      for (const kind of ["fails", "passes"]) {
        const path = `/rules/color-contrast/${kind}.${language}.html`;
        expect(html).toContain(`href="${path}"`);
        const answer = await ask(path);
        expect([answer.status, answer.headers.get("x-robots-tag"), answer.headers.get("content-language")]).toEqual([200, "noindex, nofollow", language]);
        expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none';(?!.*script-src)/);
        expect(await answer.text()).toContain(`<html lang="${language}">`);
      }
    }
    const unknown = ["/rules/no-such-rule", "/rules/no-such-rule/fails.de.html", "/rules/image-alt/other.de.html", "/rules/image-alt/fails.xx.html"];
    for (const path of unknown) expect((await ask(path)).status, path).toBe(404);
  });

  test("every page without a form answers a POST with 405, in the visitor's language", async () => {
    // The form of the home page is sent to `/?index`.
    const forms = ["/login", "/register", "/forgot-password", "/reset-password", "/contact", "/kontakt"];
    const pages = (await plainPages(server.origin)).filter((path) => !forms.includes(path));
    expect(pages.length).toBeGreaterThan(10);
    for (const path of [...pages, "/pricing", "/check/AAAAAAAAAAAAAAAAAAAAAA"]) {
      for (const language of LANGUAGES) {
        const answer = await post(path, {}, { "accept-language": language });
        expect([answer.status, answer.headers.get("allow")], path).toEqual([405, "GET, HEAD"]);
        expect(textOf(await answer.text()), path).toContain(ERRORS[language].methodNotAllowed.title);
      }
    }
  });

  test.each(["/sitemap.xml", "/robots.txt", "/metrics", "/run/AAAAAAAAAAAAAAAAAAAAAA/statement.txt"])(
    "%s, which is no page, answers with 405 and the allowed methods",
    async (path) => {
      const answer = await post(path, {});
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
      expect(textOf(await answer.text())).toContain(ERRORS.de.methodNotAllowed.title);
    },
  );

  test("a browser that asks for neither language gets the language of the path", async () => {
    const foreign = { "accept-language": "fr" };
    expect(await (await ask("/", { headers: foreign })).text()).toContain('href="/kontakt"');
    for (const [path, lang] of [["/kontakt", "de"], ["/contact", "en"]] as const) {
      const refused = await post(path, {}, foreign);
      expect([refused.status, refused.headers.get("content-language")]).toEqual([422, lang]);
      expect(await refused.text()).toContain(`action="${path}"`);
    }
    const sent = await post("/kontakt", { email: "ada@example.org", subject: "Frage", message: "Guten Tag" }, foreign);
    expect(sent.headers.get("location")).toBe("/kontakt?sent");
  });

  test.each(["/no/such/page", "/check/AAAAAAAAAAAAAAAAAAAAAA", "/check/%00", "/check/a'%20or%201=1", "/assets/none.js", "/.env", "/style"])(
    "%s is a 404 with a reference that is also in the log",
    async (path) => {
      for (const language of LANGUAGES) {
        const answer = await ask(path, { headers: { "accept-language": language } });
        expect(answer.status).toBe(404);
        const reference = answer.headers.get("x-request-id") ?? "none";
        const text = textOf(await answer.text());
        expect(text).toContain(ERRORS[language].notFound.title);
        expect(text).toContain(ERRORS[language].reference.replace("{{reference}}", reference));
        const line = await server.logged(({ req }) => (req as { id?: string } | undefined)?.id === reference);
        expect(line).toMatchObject({ level: 40, req: { method: "GET" }, res: { status: 404 } });
      }
    },
  );

  test.each([
    ["an address that cannot be read", 400, "/%E0%A4%A", {}],
    ["a method that no browser sends", 405, "/", { method: "PUT" }],
    ["a form larger than any of ours", 413, "/?index", { method: "POST", body: "url=".padEnd(100_000, "a") }],
  ])("%s is refused with a page in the visitor's language", async (_what, status, path, init) => {
    for (const language of LANGUAGES) {
      const answer = await ask(path, { ...init, headers: { "accept-language": language } });
      expect(answer.status).toBe(status);
      const reference = answer.headers.get("x-request-id") ?? "none";
      expect(textOf(await answer.text())).toContain(ERRORS[language].reference.replace("{{reference}}", reference));
    }
  });

  test("/healthz reports that database and scanner work", async () => {
    const answer = await ask("/healthz");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as unknown, ok: true, database: "ok", scanner: "ok", disk: "ok" });
  });

  test("/readyz says that requests may be sent", async () => {
    const answer = await ask("/readyz");
    expect([answer.status, answer.headers.get("cache-control"), await answer.json()]).toEqual([200, "no-store", { version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as unknown, ready: true }]);
  });

  test("the version is in the footer", async () => {
    const { version } = (await (await ask("/healthz")).json()) as { version: string };
    for (const language of LANGUAGES) expect(textOf(await (await ask("/", { headers: { "accept-language": language } })).text())).toMatch(new RegExp(`Rampe\\s+·\\s+Version ${version}`));
  });

  test("/metrics is only for Prometheus", async () => {
    for (const authorization of ["", "Bearer", `Bearer ${METRICS_TOKEN}!`, `Basic ${METRICS_TOKEN}`]) {
      expect((await ask("/metrics", { headers: { authorization } })).status, authorization).toBe(401);
    }
    const answer = await ask("/metrics", { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const lines = (await answer.text()).trimEnd().split("\n").filter(Boolean);
    for (const line of lines) expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? ([\d.e+-]+|NaN))$/);
    expect(lines).toEqual(expect.arrayContaining(['rampe_healthy{part="database"} 1', 'rampe_healthy{part="scanner"} 1', 'rampe_mails{state="waiting"} 0']));
    // Every series exists before its first event.
    const series = ['rampe_jobs{queue="site",state="waiting"}', 'rampe_pages_total{outcome="succeeded"}', 'rampe_pages_total{outcome="timeout"}'];
    series.push('rampe_scans_total{scope="site",outcome="given_up"}', 'rampe_scan_seconds_count{scope="site"}', 'rampe_queue_wait_seconds_count{scope="site"}');
    series.push('rampe_mails_total{outcome="given_up"}', "rampe_page_seconds_count", "process_resident_memory_bytes", "nodejs_eventloop_lag_seconds");
    for (const name of series) expect(lines.filter((line) => line.startsWith(`${name} `))).toHaveLength(1);
  });

  test("robots.txt and icons exist", async () => {
    const robots = await ask("/robots.txt");
    expect(robots.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(await robots.text()).toMatch(/^User-agent: \*$/m);
    expect((await ask("/favicon.ico")).headers.get("content-type")).toMatch(/^image\//);
    expect((await ask("/favicon.svg")).headers.get("content-type")).toBe("image/svg+xml");
  });
});

describe("a language", () => {
  test.each([
    ["de", "de"],
    ["en", "en"],
    ["en-GB,en;q=0.9", "en"],
    ["fr", "de"],
    ["fr-FR, en;q=0.5", "en"],
    ["en;q=0.4, de;q=0.9", "de"],
    ["*", "de"],
    ["", "de"],
    ["%%%", "de"],
  ])("asked for as '%s' is %s", async (asked, language) => {
    const answer = await ask("/", { headers: { "accept-language": asked } });
    expect(answer.headers.get("content-language")).toBe(language);
    expect(answer.headers.get("vary")).toMatch(/Cookie.*Accept-Language/);
    expect(await answer.text()).toContain(`<html lang="${language}"`);
  });

  test("that was chosen has precedence over the browser's, if it exists", async () => {
    const languageOf = async (cookie: string) =>
      (await ask("/", { headers: { cookie, "accept-language": "de" } })).headers.get("content-language");
    expect(await languageOf("locale=en")).toBe("en");
    expect(await languageOf("other=1; locale=en; more=2")).toBe("en");
    expect(await languageOf("locale=fr")).toBe("de");
  });
});

describe("a setting", () => {
  test.each([
    ["/locale", { locale: "en" }, "locale=en"],
    ["/color-scheme", { scheme: "dark" }, "color-scheme=dark"],
  ])("at %s is stored in a cookie, and the visitor returns to the page", async (path, fields, cookie) => {
    const answer = await post(path, { ...fields, returnTo: "/setup?plan=pro&x=%2F#y" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/setup?plan=pro&x=%2F#y");
    expect(answer.headers.getSetCookie()).toEqual([`${cookie}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax`]);
  });

  const elsewhere = [
    ...["//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example", "/\n/evil.example"],
    ...["\t//evil.example", " //evil.example", "/\r\n/evil.example", "/..//evil.example", "/./\\evil.example", "/%5cevil.example"],
    ...["https://evil.example/", "https:evil.example", "http:/evil.example", "javascript:alert(1)", "data:text/html,x", "evil.example"],
    ...["/\u0000/evil.example", "//evil.example/%2e%2e", "/\r\nSet-Cookie: a=b", "//user@evil.example", "//[::1]", "", "x".repeat(10_000)],
  ];
  test.each(elsewhere)("does not lead to another site by %j", async (returnTo) => {
    for (const [path, fields] of [["/locale", { locale: "en" }], ["/color-scheme", { scheme: "dark" }]] as const) {
      const answer = await post(path, { ...fields, returnTo });
      expect(answer.status).toBe(303);
      const location = answer.headers.get("location") ?? "";
      expect(location).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
      expect(new URL(location, server.origin).origin).toBe(server.origin);
      expect(answer.headers.getSetCookie()).toHaveLength(1);
    }
  });

  test.each([
    ["/locale", { locale: "xx" }],
    ["/locale", {}],
    ["/color-scheme", { scheme: "pink; Path=/evil" }],
  ])("that does not exist is refused at %s", async (path, fields: Record<string, string>) => {
    for (const language of LANGUAGES) {
      const answer = await post(path, fields, { "accept-language": language });
      expect(answer.status).toBe(422);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(textOf(await answer.text())).toContain(ERRORS[language].unusable.title);
    }
  });

  test("is in the first byte of the page", async () => {
    for (const [cookie, scheme] of [["", "auto"], ["color-scheme=dark", "dark"], ["color-scheme=light", "light"], ["color-scheme=x", "auto"]]) {
      const html = await (await ask("/", { headers: { cookie: cookie ?? "" } })).text();
      expect(html).toMatch(new RegExp(`^<!DOCTYPE html><html lang="de" class="${scheme}">`));
    }
  });
});

test("other users of the machine cannot read the server's files", async () => {
  const kept = readdirSync(server.dataDir).map((name) => statSync(path.join(server.dataDir, name)));
  expect(kept.length).toBeGreaterThan(2);
  expect(kept.filter((each) => each.isFile() && (each.mode & 0o077) !== 0)).toEqual([]);
});
