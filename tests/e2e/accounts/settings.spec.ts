import { LOCALES } from "~/platform/i18n/i18n";
import { demo, expect, inShort, openMenu, test } from "../test";
import { textsIn } from "../texts";

const IMAGE_ALT = { de: "Bilder ohne Beschreibung", en: "Images without a description" };

const OWN_NAME = { de: "Deutsch", en: "English" };

const other = (language: "de" | "en") => (language === "de" ? "en" : "de");

test("choosing another language keeps the visitor on the page", async ({ page, open, language }) => {
  const chosen = textsIn(other(language));
  await open("/register?returnTo=%2Fsetup%3Fplan%3Dpro");
  const heading = await page.getByRole("heading", { level: 1 }).innerText();
  await openMenu(page);
  await page.getByRole("button", { name: OWN_NAME[other(language)] }).click();

  await expect(page.locator("html")).toHaveAttribute("lang", other(language));
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(heading);
  await expect(page).toHaveURL("/register?returnTo=%2Fsetup%3Fplan%3Dpro");

  await open("/");
  await expect(page.locator("html")).toHaveAttribute("lang", other(language));
  await expect(page).toHaveTitle(chosen("title", { page: chosen("home:title") }));
});

test("a signed-in user can choose the language on the profile", async ({ page, open, joined, language }) => {
  await joined();
  await open("/profile/general");
  await page.getByRole("main").getByRole("button", { name: OWN_NAME[other(language)] }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", other(language));
  await expect(page).toHaveURL("/profile/general");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(textsIn(other(language))("account:profile.heading"));
});

test("a result can be read in either language", async ({ page, language, checked }) => {
  await checked(demo("/barriers"));
  const address = page.url();
  const rule = page.locator(".violation").first().getByRole("heading", { level: 3 });
  await expect(rule).toHaveText(IMAGE_ALT[language]);

  await openMenu(page);
  await page.getByRole("button", { name: OWN_NAME[other(language)] }).click();
  await expect(rule).toHaveText(IMAGE_ALT[other(language)]);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    textsIn(other(language))("check:result.heading", { host: inShort("/barriers") }),
  );
  expect(page.url()).toBe(address);
});

test.describe("a page that does not exist", () => {
  test.use({ expectedStatuses: [404] });

  test("is in the language that is chosen on it", async ({ page, t, open, language }) => {
    const chosen = textsIn(other(language));
    await open("/nowhere");
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toHaveText(t("errors.notFound.title"));
    await openMenu(page);
    await page.getByRole("button", { name: OWN_NAME[other(language)] }).click();
    await expect(heading).toHaveText(chosen("errors.notFound.title"));
    await expect(page).toHaveTitle(chosen("title", { page: chosen("errors.notFound.title") }));
    await expect(page.locator("html")).toHaveAttribute("lang", other(language));
  });
});

test.describe("a browser that asks for neither German nor English", () => {
  test.use({ locale: "fr-FR" });

  test("gets German pages", async ({ page, open }) => {
    await open("/");
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
  });
});

for (const language of LOCALES) {
  test.describe(`a browser that asks for ${language}`, () => {
    test.use({ locale: language });

    test("gets pages in that language", async ({ page, open, t }) => {
      await open("/");
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page).toHaveTitle(t("title", { page: t("home:title") }));
    });
  });
}

test("the server knows the chosen colour scheme before the page is painted", async ({ page, t, open, colorScheme }) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const choose = async (scheme: "light" | "dark" | "auto") => {
    await openMenu(page);
    const button = page.getByRole("button", { name: t(`colorScheme.${scheme}`) });
    await button.click();
    await expect(page.locator("html")).toHaveClass(scheme);
    await openMenu(page);
    await expect(button).toHaveAttribute("aria-pressed", "true");
    const html = await (await page.request.get(page.url())).text();
    expect(html).toMatch(new RegExp(`^<!DOCTYPE html><html [^>]*class="${scheme}"`));
    await open(page.url());
    return paper();
  };

  await open("/wcag");
  await expect(page.locator("html")).toHaveClass("auto");
  const asSystem = await paper();
  const light = await choose("light");
  const dark = await choose("dark");
  expect(dark).not.toBe(light);
  expect(asSystem).toBe(colorScheme === "dark" ? dark : light);
  expect(await choose("auto")).toBe(asSystem);
  expect(new URL(page.url()).pathname).toBe("/wcag");
});

test("the browser stores nothing before a setting is chosen, then only the setting", async ({ page, context, t, checked, open }) => {
  await checked(demo("/clean"));
  await open("/privacy");
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);

  await openMenu(page);
  await page.getByRole("button", { name: t("colorScheme.dark") }).click();
  await expect(page.locator("html")).toHaveClass("dark");
  expect(await context.cookies()).toMatchObject([
    { name: "color-scheme", value: "dark", httpOnly: true, sameSite: "Lax", path: "/" },
  ]);
});
