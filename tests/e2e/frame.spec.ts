import { plainPages, signedInPages } from "../support/own-pages";
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

test("every page has a title, a description and a main heading of its own", async ({ page, baseURL, open, language }) => {
  const titles = new Map<string, string>();
  const paths = await plainPages(baseURL);
  for (const path of paths) {
    await open(path);
    await expect(page.locator("html"), path).toHaveAttribute("lang", language);
    await expect(page.getByRole("heading", { level: 1 }), path).toHaveCount(1);
    await expect(page.locator("meta[name=description]"), path).toHaveAttribute("content", /\S.{40,}/);
    titles.set(path, await page.title());
  }
  for (const [path, title] of titles) expect(title, path).toMatch(/^\S.+ – Rampe$/);
  const aliases = [
    ["/contact", "/kontakt"],
    ["/imprint", "/impressum"],
    ["/privacy", "/datenschutz"],
    ["/accessibility", "/barrierefreiheit"],
    ["/bfsg/check", "/bfsg/selbsttest"],
  ] as const;
  for (const [path, alias] of aliases) expect(titles.get(alias)).toBe(titles.get(path));
  expect(new Set(titles.values()).size).toBe(paths.length - aliases.length);
});

test("pages of an account require a sign-in, and have a title, a description and a main heading", async ({
  page,
  baseURL,
  open,
  joined,
  language,
}) => {
  const paths = await signedInPages(baseURL, (await joined()).cookie);
  expect(paths.length).toBeGreaterThan(7);
  const titles = new Set<string>();
  for (const path of paths) {
    await open(path);
    await expect(page, path).toHaveURL(path);
    await expect(page.locator("html"), path).toHaveAttribute("lang", language);
    await expect(page.getByRole("heading", { level: 1 }), path).toHaveCount(1);
    await expect(page, path).toHaveTitle(/^\S.+ – Rampe$/);
    titles.add(await page.title());
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
  expect(links.length).toBe(3);
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
