import { expect, type Locator, type Page } from "@playwright/test";

export const CARD = { accepted: "4242 4242 4242 4242", declined: "4000 0000 0000 0002" };

/** Fills in the cashier's form, in any language. */
export async function payWith(page: Page, number: string): Promise<void> {
  await page.locator("#number").fill(number);
  await page.locator("#expiry").fill("12 / 34");
  await page.locator("#cvc").fill("123");
  await page.locator('button[value="pay"]').click();
}

/** Follows a link of a result that may not be ready yet: without scripts, it reloads the page until the link exists. */
export async function followOnceThere(link: Locator): Promise<void> {
  await expect(async () => {
    if (!(await link.isVisible())) await link.page().reload();
    await expect(link).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await link.click();
}
