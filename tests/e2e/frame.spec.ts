import { plainPages, signedInPages } from "../support/browser/own-pages";
import { expect, openMenu, test } from "./test";

test("every link of the header and the footer leads to a page", async ({ page, open }) => {
  await open("/");
  const links = await page.locator("header a, footer a").evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).href));
  const own = [...new Set(links)].filter((link) => link.startsWith(new URL("/", page.url()).href));
  expect(own.length).toBeGreaterThan(8);
  for (const link of own) {
    const answer = await page.request.get(link);
    expect(answer.status(), link).toBe(200);
  }
  const external = new Set(links.filter((link) => !own.includes(link)));
  expect([...external], "the public repository").toEqual(["https://github.com/rampe/rampe"]);
});

/** Metadata of a page as sent by the server; changes by scripts would cause errors (`silence`). */
function aboutPage(html: string) {
  const of = (pattern: RegExp) => pattern.exec(html)?.[1] ?? "";
  return {
    lang: of(/<html [^>]*?lang="([^"]*)"/),
    title: of(/<title>([^<]*)</),
    description: of(/<meta name="description" content="([^"]*)"/),
    headings: html.match(/<h1[ >]/g)?.length,
    content: of(/(<main.*<\/main>)/s),
  };
}

const ALIASES = [
  ["/contact", "/kontakt"],
  ["/imprint", "/impressum"],
  ["/privacy", "/datenschutz"],
  ["/accessibility", "/barrierefreiheit"],
  ["/bfsg/check", "/bfsg/selbsttest"],
] as const;

test("every page has a title, a description and a main heading of its own; by another path it is the same", async ({ request, baseURL, language }) => {
  const pages = new Map<string, ReturnType<typeof aboutPage>>();
  for (const path of await plainPages(baseURL)) {
    const answer = await request.get(path, { headers: { "Accept-Language": language }, maxRedirects: 0 });
    const about = aboutPage(await answer.text());
    expect([path, answer.status(), about.lang, about.headings]).toEqual([path, 200, language, 1]);
    expect(about.description, path).toMatch(/\S.{40,}/);
    expect(about.title, path).toMatch(/^\S.+ – Rampe$/);
    pages.set(path, about);
  }
  for (const [path, alias] of ALIASES) {
    const [one, other] = [pages.get(path), pages.get(alias)];
    expect({ ...other, content: other?.content.replaceAll(alias, path) }).toEqual({ ...one, content: one?.content.replaceAll(alias, path) });
  }
  const titles = new Set([...pages.values()].map(({ title }) => title));
  expect(titles.size).toBe(pages.size - ALIASES.length);
});

test("pages of an account require a sign-in, and have a title, a description and a main heading", async ({ baseURL, joined, language }) => {
  const member = await joined();
  const paths = await signedInPages(baseURL, member.cookie);
  expect(paths.length).toBeGreaterThan(7);
  const titles = new Set<string>();
  for (const path of paths) {
    const { status, text } = await member.get(path);
    const about = aboutPage(text);
    expect([path, status, about.lang, about.headings]).toEqual([path, 200, language, 1]);
    expect(about.title, path).toMatch(/^\S.+ – Rampe$/);
    titles.add(about.title);
    const asked = await fetch(`${baseURL}${path}`, { redirect: "manual" });
    expect([asked.status, asked.headers.get("location")]).toEqual([303, `/login?returnTo=${encodeURIComponent(path)}`]);
  }
  expect(titles.size).toBe(paths.length);
});

test("every link of the header leads to a page, also for a signed-in user", async ({ page, open, joined }) => {
  await joined();
  await open("/");
  await openMenu(page);
  const links = await page.locator("header a:not(.skip-link)").evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).href));
  expect(links.length).toBe(4);
  for (const link of links) {
    const answer = await page.request.get(link, { maxRedirects: 0 });
    expect(answer.status(), link).toBe(200);
  }
});

test("pricing is a section of the home page, in the currency of the language", async ({ page, open, language }) => {
  await open("/pricing");
  await expect(page).toHaveURL("/#pricing");
  const prices = page.locator("#pricing .plan-price");
  await expect(prices).toHaveText(language === "de" ? [/15\s€.*20\s€/, /40\s€.*50\s€/, /\S/] : [/\$15.*\$20/, /\$40.*\$50/, /\S/]);
  await expect(page.locator("#pricing")).toBeInViewport();
});
