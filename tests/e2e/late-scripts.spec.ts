import { expect, hydrated, test } from "./test";

test.describe("before the scripts have loaded", { tag: "@scripts" }, () => {
  test.use({ expectedStatuses: [422] });
  let bringScripts: () => void;

  test.beforeEach(async ({ page }) => {
    const brought = new Promise<void>((resolve) => (bringScripts = resolve));
    await page.route("**/assets/*.js", async (route) => {
      await brought;
      await route.continue();
    });
  });

  test("typing into a refused form is not interrupted", async ({ page, t }) => {
    await page.goto("/", { waitUntil: "domcontentloaded" });
    const field = page.getByLabel(t("home:form.label"));
    await field.fill("kein Ort");
    await page.getByRole("button", { name: t("home:form.submit") }).click({ noWaitAfter: true });
    await expect(page.getByRole("alert")).toBeVisible();
    await field.fill("");
    await field.pressSequentially("www.beispiel");
    bringScripts();
    await hydrated(page);
    await page.keyboard.type(".de");
    await expect(field).toHaveValue("www.beispiel.de");
  });

  test("typing is not interrupted by later requests of the scripts", async ({ page, t }) => {
    await page.goto("/", { waitUntil: "domcontentloaded" });
    const field = page.getByLabel(t("home:form.label"));
    await field.fill("kein Ort");
    await page.getByRole("button", { name: t("home:form.submit") }).click({ noWaitAfter: true });
    await expect(page.getByRole("alert")).toBeVisible();
    await field.focus();
    // Remix requests the targets of the page's links, and renders the page again with the answer.
    const links = page.waitForResponse((response) => response.url().includes("/__manifest"));
    bringScripts();
    await (await links).finished();
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    await expect(field).toBeFocused();
  });

  test("text added to a text area is kept", async ({ page, t }) => {
    await page.goto("/contact", { waitUntil: "domcontentloaded" });
    const message = page.getByLabel(t("contact:field.message"));
    await message.fill("Der erste Satz.");
    await page.getByRole("button", { name: t("contact:submit") }).click({ noWaitAfter: true });
    await expect(page.getByRole("alert")).toBeVisible();
    await message.focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Der zweite");
    bringScripts();
    await hydrated(page);
    await page.keyboard.type(" Satz.");
    await expect(message).toHaveValue("Der erste Satz. Der zweite Satz.");
  });

  test("the focus moves to the error summary if nothing was typed", async ({ page, t }) => {
    await page.goto("/", { waitUntil: "domcontentloaded" });
    await page.getByLabel(t("home:form.label")).fill("kein Ort");
    await page.getByRole("button", { name: t("home:form.submit") }).click({ noWaitAfter: true });
    await expect(page.getByRole("alert")).toBeVisible();
    bringScripts();
    await expect(page.getByRole("alert")).toBeFocused();
  });

  test("an opened menu stays open", async ({ page, t }) => {
    await page.setViewportSize({ width: 320, height: 568 });
    await page.goto("/", { waitUntil: "domcontentloaded" });
    await page.getByText(t("nav.menu"), { exact: true }).click();
    const link = page.getByRole("navigation", { name: t("nav.label") }).getByRole("link", { name: t("nav.contact") });
    await link.focus();
    bringScripts();
    await hydrated(page);
    await expect(link).toBeFocused();
  });
});
