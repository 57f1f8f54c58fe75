import { CARD, payWith } from "./pay-with";
import { demo, expect, test } from "../test";

test("a monthly plan can be bought for the checked website @core", async ({ page, t, open, joined }) => {
  await joined();
  await open(`/setup?url=${encodeURIComponent(demo("/"))}`);
  await expect(page.getByText(t("billing:setup.noMoney"))).toBeVisible();
  await page.getByRole("button", { name: t("home:pricing.pro.name") }).first().click();
  await expect(page).toHaveURL(/\/cashier\//);
  await payWith(page, CARD.accepted);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("billing:done.paid.heading"));

  await open("/profile/general");
  await expect(page.getByText(t("billing:purchases.usedUrls", { current: 1, limit: 5, count: 5 }))).toBeVisible();
  await open("/profile/urls");
  await expect(page.getByText(demo("").replace(/\/$/, ""), { exact: true })).toBeVisible();
});

test.describe("at the checkout", () => {
  test.use({ expectedStatuses: [402, 422] });

  test("a locked report is unlocked by paying for its website, also after a declined card", async ({ page, t, open, joined, press, javaScriptEnabled }) => {
    await joined();
    const site = demo("/barriers");
    await open(`/runs/new?url=${encodeURIComponent(site)}`);
    await page.getByRole("radio", { name: t("runs:scope.page") }).check();
    await press(t("runs:new.submit"));
    await expect(page).toHaveURL(/\/run\//);
    const run = new URL(page.url()).pathname;
    const heading = page.getByRole("heading", { level: 1 });
    await expect(async () => {
      if (javaScriptEnabled === false) await page.reload();
      await expect(heading).toContainText(t("report:locked.heading"), { timeout: javaScriptEnabled === false ? 500 : 20_000 });
    }).toPass();
    await press(t("report:locked.unlock"));
    await expect(page.getByLabel(t("billing:setup.urlLabel"))).toHaveValue(site);
    await page.getByRole("button", { name: t("home:pricing.basic.name") }).last().click();
    await payWith(page, CARD.declined);
    await expect(page.getByRole("alert").or(page.locator(".error-summary, [aria-invalid=true]")).first()).toBeVisible();
    await payWith(page, CARD.accepted);
    await expect(heading).toHaveText(t("billing:done.paid.heading"));
    await page.getByRole("link", { name: t("billing:done.report.open") }).click();
    await expect(page).toHaveURL(run);
    await expect(heading).toContainText(t("report:overview.heading"));
    await open("/profile/general");
    await expect(page.getByText(t("billing:purchases.usedScans", { current: 1, limit: 1, count: 1 }))).toBeVisible();
  });

  test("cancelling leads back to the plans, with the address still filled in", async ({ page, t, open, joined }) => {
    await joined();
    await open("/setup");
    await page.getByLabel(t("billing:setup.urlLabel")).fill(demo("/"));
    await page.getByRole("button", { name: t("home:pricing.pro.name") }).first().click();
    await page.locator('button[value="cancel"]').click();
    await expect(page).toHaveURL(/\/setup\?/);
    await expect(page.getByLabel(t("billing:setup.urlLabel"))).toHaveValue(demo("/"));
  });
});

test("the billing portal opens from the profile, and leads back", async ({ page, t, open, joined, press }) => {
  await joined();
  await open("/setup");
  await page.getByRole("button", { name: t("home:pricing.basic.name") }).first().click();
  await payWith(page, CARD.accepted);
  await open("/profile/general");
  await press(t("billing:purchases.portal"));
  await expect(page).toHaveURL(/\/cashier\/portal\//);
  await page.locator('a[href*="/profile/general"]').first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("account:profile.heading"));
});
