import { expect, test } from "./test";

test.describe("the menu of a small screen", () => {
  test.use({ viewport: { width: 320, height: 568 } });

  test("opens and closes", async ({ page, t, open }) => {
    await open("/");
    const navigation = page.getByRole("navigation", { name: t("nav.label") });
    await expect(navigation).toBeHidden();
    await page.getByText(t("nav.menu"), { exact: true }).click();
    await expect(navigation).toBeVisible();
    await page.getByText(t("nav.menu"), { exact: true }).click();
    await expect(navigation).toBeHidden();
  });

  test("leads to the pages", async ({ page, t, open }) => {
    await open("/");
    await page.getByText(t("nav.menu"), { exact: true }).click();
    const navigation = page.getByRole("navigation", { name: t("nav.label") });
    await navigation.getByRole("link", { name: t("nav.contact") }).click();
    await expect(page).toHaveURL(/\/(contact|kontakt)$/);
    await expect(navigation).toBeHidden();
  });

  test("closes on Escape, and returns the focus to its button", { tag: "@scripts" }, async ({ page, t, open }) => {
    await open("/");
    await page.getByText(t("nav.menu"), { exact: true }).click();
    const navigation = page.getByRole("navigation", { name: t("nav.label") });
    await navigation.getByRole("link", { name: t("nav.login") }).focus();
    await page.keyboard.press("Escape");
    await expect(navigation).toBeHidden();
    await expect(page.locator("summary").first()).toBeFocused();
  });

  test("closes on a link to the current address", { tag: "@scripts" }, async ({ page, t, open }) => {
    await open("/#pricing");
    await page.getByText(t("nav.menu"), { exact: true }).click();
    const navigation = page.getByRole("navigation", { name: t("nav.label") });
    await navigation.getByRole("link", { name: t("nav.pricing") }).click();
    await expect(navigation).toBeHidden();
  });

  test("closes when the language changes", async ({ page, open, language }) => {
    const [chosen, name] = language === "de" ? (["en", "English"] as const) : (["de", "Deutsch"] as const);
    await open("/");
    await page.locator("summary").first().click();
    await page.getByRole("button", { name }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", chosen);
    await expect(page.getByRole("navigation")).toBeHidden();
  });
});

test.describe("the menu of a large screen", () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test("is always visible", async ({ page, t, open }) => {
    await open("/");
    await expect(page.getByRole("navigation", { name: t("nav.label") })).toBeVisible();
    await expect(page.getByText(t("nav.menu"), { exact: true })).toBeHidden();
  });
});
