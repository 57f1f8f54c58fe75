import { addCustomer, removeCustomer } from "../../support/billing/cashier-store";
import { CARD, payWith } from "./pay-with";
import { dataDir, demo, expect, test } from "../test";

test("a purchase counts without a return from the checkout, and a second one has room for another website", async ({ page, t, open, joined }) => {
  await joined();
  for (const limit of [1, 2]) {
    await open("/setup");
    await page.getByRole("button", { name: t("home:pricing.basic.name") }).last().click();
    await expect(page).toHaveURL(/\/cashier\/pay\//);
    const card = { do: "pay", number: CARD.accepted, expiry: "12 / 34", cvc: "123" };
    await page.request.post(page.url(), { form: card, maxRedirects: 0 });
    await expect(async () => {
      await open("/profile/general");
      await expect(page.getByText(t("billing:purchases.usedScans", { current: 0, limit, count: limit }))).toBeVisible({ timeout: 500 });
    }).toPass();
  }
});

test.describe("beyond the limit of a plan", () => {
  test.use({ expectedStatuses: [422] });

  test("another website is refused, with links to larger plans", async ({ page, t, open, joined, press }) => {
    await joined();
    await open(`/setup?url=${encodeURIComponent(demo("/"))}`);
    await page.getByRole("button", { name: t("home:pricing.basic.name") }).first().click();
    await payWith(page, CARD.accepted);
    await open("/profile/urls");
    await page.getByLabel(t("billing:urls.label"), { exact: true }).fill("www.example.org");
    await press(t("billing:urls.add"));
    await expect(page.getByText(t("billing:urls.full"))).toBeVisible();
    await expect(page.getByLabel(t("billing:urls.label"), { exact: true })).toHaveValue("www.example.org");
  });
});

test("a plan can be changed and cancelled on the provider's pages", async ({ page, t, open, joined, press }) => {
  await joined();
  await open("/setup");
  await page.getByRole("button", { name: t("home:pricing.pro.name") }).first().click();
  await payWith(page, CARD.accepted);
  const says = (text: string) =>
    expect(async () => {
      await open("/profile/general");
      await expect(page.getByRole("main")).toContainText(text, { timeout: 500 });
    }).toPass();
  await says(t("billing:purchases.usedUrls", { current: 0, limit: 5, count: 5 }));
  await press(t("billing:purchases.portal"));
  await page.locator('button[value="change"]').click();
  await says(t("billing:purchases.usedUrls", { current: 0, limit: 1, count: 1 }));
  await press(t("billing:purchases.portal"));
  await page.locator('button[value="cancel-at-end"]').click();
  await says(t("billing:purchases.ends"));
});

test.describe("with several customers at the provider", () => {
  test.use({ expectedStatuses: [409] });

  test("the page explains the problem and names a contact; purchases work again once it is resolved", async ({ page, t, open, joined, press }) => {
    const { id } = await joined();
    const location = { dataDir: dataDir() };
    const [, second = ""] = ["a", "b"].map((name) => addCustomer(location, name, id));
    await open("/setup");
    await page.getByRole("button", { name: t("home:pricing.pro.name") }).first().click();
    await expect(page.getByRole("heading", { name: t("billing:problem.several.heading") }).first()).toBeVisible();
    await expect(page.getByRole("link", { name: t("billing:ambiguous.contact") })).toBeVisible();
    removeCustomer(location, second);
    await press(t("billing:ambiguous.again"));
    await page.getByRole("button", { name: t("home:pricing.pro.name") }).first().click();
    await expect(page).toHaveURL(/\/cashier\/pay\//);
  });
});
