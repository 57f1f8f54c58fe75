import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../../support/servers/server";

const BASE = "https://rampe.example";

let server: TestServer;

beforeAll(async () => {
  server = await startServer({ browser: false, env: { BASE_URL: BASE } });
});
afterAll(() => server.stop());

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.origin}${path}`, { redirect: "manual", headers });
const page = async (path: string, headers?: Record<string, string>) => (await get(path, headers)).text();

const langOf = (html: string) => /<html lang="(\w+)"/.exec(html)?.[1];
const linksOf = (html: string, rel: string) =>
  [...html.matchAll(new RegExp(`<link rel="${rel}"(?: hrefLang="([\\w-]+)")? href="([^"]+)"`, "gi"))].map(([, lang, href]) => [lang, href]);
const propertyOf = (html: string, name: string) => new RegExp(`<meta property="${name}" content="([^"]+)"`).exec(html)?.[1];

test("search engines find every public page in each language, and no private page", async () => {
  const robots = await page("/robots.txt");
  for (const path of ["/run/", "/runs", "/check/", "/shared/", "/profile", "/account/", "/api/v1/"]) expect(robots).toContain(`Disallow: ${path}\n`);
  expect(robots).toContain(`Sitemap: ${BASE}/sitemap.xml`);

  const sitemap = await get("/sitemap.xml");
  expect(sitemap.headers.get("content-type")).toContain("application/xml");
  const addresses = [...(await sitemap.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => address);
  expect(addresses.length).toBeGreaterThan(10);
  for (const address of addresses) {
    const answer = await get(new URL(address).pathname);
    const html = await answer.text();
    expect([answer.status, answer.headers.get("x-robots-tag")], address).toEqual([200, null]);
    expect(linksOf(html, "canonical"), address).toEqual([[undefined, address]]);
    const alternates = linksOf(html, "alternate");
    const own = alternates.find(([lang]) => lang === langOf(html));
    if (alternates.length > 0) expect(own?.[1], "the address of its own language").toBe(address);
  }
});

test("a page without a language in its path has the canonical address of its language", async () => {
  const german = await page("/contact", { "Accept-Language": "de" });
  expect([langOf(german), linksOf(german, "canonical")]).toEqual(["de", [[undefined, `${BASE}/kontakt`]]]);
  expect((await get("/contact")).headers.get("vary")).toMatch(/Cookie, Accept-Language/);
});

test("a link preview has title and picture in the page's language", async () => {
  for (const language of ["de", "en"]) {
    const html = await page("/", { "Accept-Language": language });
    expect(propertyOf(html, "og:title")).toBe(/<title>([^<]+)/.exec(html)?.[1]);
    expect(propertyOf(html, "og:image")).toBe(`${BASE}/og-${language}.png`);
    const picture = await get(`/og-${language}.png`);
    expect(picture.headers.get("content-type")).toBe("image/png");
    const bytes = Buffer.from(await picture.arrayBuffer());
    expect(bytes.length).toBeLessThan(100_000);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  }
  expect(propertyOf(await page("/no/such/page"), "og:image")).toBeUndefined();
});

test("structured data contains the same questions and prices as the page", async () => {
  const html = await page("/", { "Accept-Language": "en" });
  const [, json = ""] = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html) ?? [];
  const [product, questions] = JSON.parse(json)["@graph"];
  expect(product.offers.map(({ price }: { price: string }) => Number(price)).sort((a: number, b: number) => a - b)).toEqual([0, 15, 20, 40, 50]);
  const shown = [...html.matchAll(/<summary><h3>(.*?)<\/h3>/g)].map(([, question]) => question);
  expect(questions.mainEntity.map(({ name }: { name: string }) => name)).toEqual(shown);
  expect(shown.length).toBeGreaterThanOrEqual(6);
});

test("the manifest and all its icons exist", async () => {
  const answer = await get("/site.webmanifest");
  expect(answer.headers.get("content-type")).toContain("application/manifest+json");
  const { icons } = (await answer.json()) as { icons: { src: string; type: string }[] };
  for (const { src, type } of [...icons, { src: "/icons/180.png", type: "image/png" }]) {
    const icon = await get(src);
    expect([icon.status, icon.headers.get("content-type")], src).toEqual([200, type]);
    await icon.arrayBuffer();
  }
});

test("everyone can read the sample report down to the element; it contains no link to an account", async () => {
  const html = await page("/sample", { "Accept-Language": "de" });
  expect(html).toContain("Das ist ein Beispielbericht.");
  expect(html).toContain("teekiste.example");
  const paths = [...html.matchAll(/href="(\/sample\/[^"]+)"/g)].map(([, path = ""]) => path);
  expect(paths).toContain("/sample/violations/image-alt");
  for (const path of paths) expect((await get(path)).status, path).toBe(200);
  const rule = await page("/sample/violations/image-alt", { "Accept-Language": "de" });
  expect(rule).toContain("basket.svg");
  const [address = ""] = /\/sample\/violations\/image-alt\/\d+\/0/.exec(rule) ?? [];
  const element = await page(address, { "Accept-Language": "de" });
  const [picture = ""] = /\/sample\/picture\/[^"]+/.exec(element) ?? [];
  expect((await get(picture)).headers.get("content-type")).toBe("image/webp");
  expect(`${html}${rule}${element}`.replace(/<header class="site-header.*?<\/header>/s, "")).not.toMatch(/href="\/(runs?|profile|shared)\b/);
  expect((await get("/sample/violations/no-such-rule")).status).toBe(404);
  expect((await get("/sample/nonsense")).status).toBe(404);
});
