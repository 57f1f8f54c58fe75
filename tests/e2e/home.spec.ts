import { expect, test } from "./test";

test("an answer opens below its question, and links to more", async ({ page, open }) => {
  await open("/");
  const questions = page.locator("#questions ~ details");
  expect(await questions.count()).toBeGreaterThanOrEqual(6);
  const first = questions.first();
  await expect(first.getByRole("link")).toBeHidden();
  await first.locator("summary").focus();
  await page.keyboard.press("Enter");
  await first.getByRole("link").click();
  await expect(page).toHaveURL(/\/bfsg\/(check|selbsttest)$/);
});

test("a visitor can read the sample report from its summary down to an element", async ({ page, t, open }) => {
  await open("/");
  await page.locator("main a[href='/sample']").click();
  await expect(page.getByText(t("report:reader.sample.notice"))).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(t("report:overview.heading"));
  await page.locator(".first-steps .rule-name").first().click();
  await expect(page.getByRole("heading", { level: 1 })).not.toContainText(t("report:overview.heading"));
  await expect(page.locator("article.violation .plain-list a").first()).toBeVisible();
  const parts = page.getByRole("navigation", { name: t("report:frame.parts") });
  const menu = parts.locator("summary");
  if (await menu.isVisible()) await menu.click();
  await parts.getByRole("link").first().click();
  await expect(page).toHaveURL("/sample");
});
